/** NLST (RFC 959 §4.1.3): one name a line, and nothing known of it. */
import { latin1Of } from '@retriever/driver';
import { isDots, octetsAt, type LineParser } from './listed-line.ts';

const SLASH = 0x2f;

/**
 * @param directory What NLST was given; many servers put it and `/` before each name, Pure-FTPd and the BSD ones among them.
 */
export function namesParser(directory: Uint8Array = new Uint8Array()): LineParser {
  return (line) => {
    const prefixed =
      directory.length > 0 &&
      line[directory.length] === SLASH &&
      Buffer.compare(line.subarray(0, directory.length), directory) === 0;
    const rawName = octetsAt(line, prefixed ? directory.length + 1 : 0);
    if (rawName.length === 0 || isDots(latin1Of(rawName))) return 'skip';
    return { rawName, kind: 'other' };
  };
}
