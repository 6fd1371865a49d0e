/**
 * How a WAIS server says no. Unlike everything else a diagnostic is no tagged value: `1C`, the length in two octets, two
 * characters of code, text, an octet that nobody needs, and `1D` behind the length.
 */
import { latin1Of, RetrievalError, textOf, type RetrievalErrorCode } from '@retriever/driver';
import type { Octets } from './tagged.ts';

export const diagnosticTag = 0x1c;
const endOfDiagnostic = 0x1d;

export interface Diagnostic {
  /** `S1` database or query · `SF` document or range · `T2` access. */
  readonly code: string;
  /** The server's words. */
  readonly text: string;
}

/** @throws RetrievalError `protocol`. */
export function readDiagnostic(octets: Octets): Diagnostic {
  octets.take(1);
  const content = octets.take(octets.number(2));
  if (octets.number(1) !== endOfDiagnostic || content.length < 3) {
    throw new RetrievalError('protocol', 'the server sent a diagnostic without its end');
  }
  return { code: latin1Of(content.subarray(0, 2)), text: textOf(content.subarray(2, -1)).slice(0, 512) };
}

export const shownDiagnostic = ({ code, text }: Diagnostic): string => `${code} ${text}`;

/** freeWAIS-sf beside the last octets of a document, when more of them were asked for. */
export const isOutOfRange = ({ code, text }: Diagnostic): boolean => code === 'SF' && /out of range/i.test(text);

/** @param what What was asked for: `a search of testdb at wais.example`. */
export function refusal(
  what: string,
  diagnostic: Diagnostic,
  code: RetrievalErrorCode = meaningOf(diagnostic),
): RetrievalError {
  const said = shownDiagnostic(diagnostic);
  return new RetrievalError(code, `${what} was refused: ${said}`, { reply: { code: 0, text: said } });
}

/** freeWAIS-sf says the same of doc-ids that are unknown, malformed and forbidden: for all anybody can know, they do not exist. */
function meaningOf(diagnostic: Diagnostic): RetrievalErrorCode {
  const { code, text } = diagnostic;
  if (isOutOfRange(diagnostic)) return 'range';
  if (code === 'SF' || (code === 'S1' && /not available/i.test(text))) return 'not-found';
  return 'refused';
}
