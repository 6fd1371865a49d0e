/** A trace in one line: what was said to each server, and its last word. */
import type { TraceRecord } from '@retriever/client';

/** `GET /, 200 OK` · `USER, PASS, TYPE, EPSV, RETR, 226 Done`; hops are joined by an arrow. */
export function exchangeLine(records: readonly TraceRecord[]): string {
  const hops: TraceRecord[][] = [[]];
  for (const record of records) {
    if (record.type === 'redirected') hops.push([]);
    else hops.at(-1)!.push(record);
  }
  return hops.map((hop) => hopLine(hop)).join(' -> ');
}

function hopLine(records: readonly TraceRecord[]): string {
  const sent = records.flatMap((record) => (record.type === 'sent' ? [record.text] : []));
  const received = records.flatMap((record) => (record.type === 'received' ? [record.text] : []));
  if (sent.length === 0) return 'nothing was sent';
  const [first = ''] = sent;
  // HTTP: one request line, one status line, the rest are fields.
  if (/ HTTP\/1\.[01]$/.test(first))
    return `${short(first.replace(/ HTTP.*$/, ''))}, ${(received[0] ?? 'no answer').replace(/^HTTP\/\S+ /, '')}`;
  // Gopher: one selector, and octets for an answer.
  if (received.length === 0) return `selector ${JSON.stringify(first)}, octets to the end`;
  const verbs = sent.map((line) => line.replace(/ .*$/, '')).filter((verb) => verb !== 'QUIT');
  return `${verbs.join(' ')}, ${lastWord(received)}`;
}

/** The last reply that is no goodbye, without the parting sentences of a long one. */
function lastWord(received: readonly string[]): string {
  return short(received.findLast((line) => /^\d{3} /.test(line) && !line.startsWith('221')) ?? received.at(-1) ?? '');
}

function short(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 37)}...`;
}
