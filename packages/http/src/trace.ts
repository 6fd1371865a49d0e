/** What the peers wrote, for people: their secrets masked. */

/** Fields whose value is a secret, RFC 9110 §11 and RFC 6265. */
const secretFields = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);

/** A header line without the secrets it holds: whole values of credentials and cookies, passwords in URLs. */
export function masked(line: string): string {
  const colon = line.indexOf(':');
  if (colon > 0 && secretFields.has(line.slice(0, colon).trim().toLowerCase())) return `${line.slice(0, colon)}: ***`;
  return withoutPassword(line);
}

/** What a server wrote, fit for a message: short, on one line, without passwords. */
export function shown(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return withoutPassword(text.slice(0, 200)).replace(/[\0-\x1f\x7f-\x9f]/g, '\ufffd');
}

/** Text with the passwords of URLs in it masked. */
function withoutPassword(text: string): string {
  return text.replace(/(\/\/[^/?#@:\s]*):[^/?#@\s]*@/g, '$1:***@');
}
