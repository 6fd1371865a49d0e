/** Overview lines (RFC 3977 §8.3): an article each, its fields apart by tabs. */
import { latin1Of, type Entry } from '@retriever/driver';
import { articleDate } from './article-date.ts';
import { displayText, plainText } from './display-text.ts';
import { fieldNamed, type RawField } from './header.ts';
import { numberOf } from './article-number.ts';

/** RFC 3977 §8.4: the first seven fields behind the number are the same everywhere. */
const headers = ['subject', 'from', 'date', 'message-id', 'references', 'bytes', 'lines'] as const;

/**
 * The entry of an overview line. Its name is the subject, decoded for people; its facts are `number`, `subject`, `from`,
 * `date`, `message-id`, `references`, `octets` and `lines`, each where the server gives it.
 *
 * A line that is none becomes an entry of kind `error`.
 */
export function overviewEntry(
  line: Uint8Array,
  urlOf: (article: { number: string; messageId: Uint8Array }) => string | undefined,
): Entry {
  const [number = '', subject = '', from = '', date = '', messageId = '', references = '', octets, lines] =
    latin1Of(line).split('\t');
  if (!/^\d{1,20}$/.test(number)) return { name: plainText(latin1Of(line)), rawName: line, kind: 'error' };
  const url = urlOf({ number, messageId: latin1Octets(messageId.trim()) });
  const modified = articleDate(date);
  const name = displayText(subject);
  return {
    name,
    rawName: latin1Octets(subject),
    kind: 'file',
    ...(url !== undefined && { url }),
    ...(modified && { modified }),
    mediaType: 'message/rfc822',
    facts: {
      number: numberOf(number) ?? number,
      subject: name,
      from: displayText(from),
      date: plainText(date),
      'message-id': plainText(messageId),
      references: plainText(references),
      ...count('octets', octets),
      ...count('lines', lines),
    },
  };
}

const latin1Octets = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

function count(name: string, digits: string | undefined): Record<string, number> {
  const value = numberOf(digits?.trim());
  return value === undefined ? {} : { [name]: value };
}

/** The overview line that a server without an overview would give for this header, with its line end. */
export function overviewLine(number: string, fields: readonly RawField[]): Uint8Array {
  // RFC 3977 §8.3.2: in a field every line end, tab and NUL becomes a space.
  const values = headers.map((name) => (fieldNamed(fields, name) ?? '').replace(/[\t\r\n\0]/g, ' '));
  return latin1Octets(`${number}\t${values.join('\t')}\r\n`);
}
