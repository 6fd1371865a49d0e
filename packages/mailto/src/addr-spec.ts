/**
 * The addr-spec of RFC 822 §6.1, by appendix D:
 *
 *     addr-spec      = local-part "@" domain
 *     local-part     = word *("." word)
 *     word           = atom / quoted-string
 *     domain         = sub-domain *("." sub-domain)
 *     sub-domain     = atom / domain-literal
 *     atom           = 1*<any CHAR except specials, SPACE and CTLs>
 *     quoted-string  = <"> *(qtext / quoted-pair) <">
 *     domain-literal = "[" *(dtext / quoted-pair) "]"
 *
 * Departs from RFC 822: no control character anywhere, and no comments or white space between tokens, as RFC 6068 §2 has
 * it; characters outside US-ASCII are text, as RFC 6531 has it.
 */

const atom = String.raw`[^\u0000-\u0020\u007f-\u009f()<>@,;:\\".[\]]+`;
const quotedPair = String.raw`\\[^\u0000-\u001f\u007f-\u009f]`;
const quotedString = String.raw`"(?:[^\u0000-\u001f\u007f-\u009f"\\]|${quotedPair})*"`;
const literal = String.raw`\[(?:[^\u0000-\u001f\u007f-\u009f[\]\\]|${quotedPair})*\]`;
const word = `(?:${atom}|${quotedString})`;
const subDomain = `(?:${atom}|${literal})`;

const addrSpec = new RegExp(String.raw`^${word}(?:\.${word})*@${subDomain}(?:\.${subDomain})*$`, 'u');

/** Whether the text, decoded, is an address; phrases, routes and groups are none. */
export function isAddrSpec(text: string): boolean {
  return addrSpec.test(text);
}

/** Splits a list at its commas (RFC 6068 §2); one in a quoted string or a domain literal is part of an address. */
export function splitAddresses(list: string): string[] {
  const addresses: string[] = [];
  let start = 0;
  let closing = '';
  for (let at = 0; at < list.length; at += 1) {
    const character = list[at]!;
    if (closing !== '' && character === '\\') at += 1;
    else if (character === closing) closing = '';
    else if (closing !== '') continue;
    else if (character === '"') closing = '"';
    else if (character === '[') closing = ']';
    else if (character === ',') {
      addresses.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  addresses.push(list.slice(start).trim());
  return addresses;
}
