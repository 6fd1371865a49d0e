/** One entry of a listing as JSON. */
import type { Entry } from '@retriever/driver';

/** `rawName` appears as base64 only where `name` does not say it exactly. */
export function entryRecord({ rawName, ...entry }: Entry): Record<string, unknown> {
  const exact = Buffer.from(entry.name, 'utf8').equals(rawName);
  return exact ? entry : { ...entry, rawName: Buffer.from(rawName).toString('base64') };
}
