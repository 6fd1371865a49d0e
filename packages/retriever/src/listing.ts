/** Listings of any scheme in two common dresses, streamed entry by entry. */
import type { Entry } from '@retriever/driver';
import { schemeOf } from './scheme.ts';

/** A JSON array of entries, one a line; `rawName` appears as base64 only where `name` does not say it exactly. */
export async function* asJson(entries: AsyncIterable<Entry>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const entry of entries) {
    yield separator + JSON.stringify(jsonOf(entry));
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** The plain object that stands for an entry in JSON. */
export function jsonOf({ rawName, ...entry }: Entry): Record<string, unknown> {
  const exact = Buffer.from(entry.name, 'utf8').equals(rawName);
  return exact ? entry : { ...entry, rawName: Buffer.from(rawName).toString('base64') };
}

/** A page of links. Names are text, never markup; nothing but links the entries give is linked, and no script. */
export async function* asHtml(entries: AsyncIterable<Entry>, title: string): AsyncGenerator<string> {
  const heading = escaped(title);
  const ownScheme = schemeOf(title);
  yield `<!doctype html>\n<meta charset="utf-8">\n<title>${heading}</title>\n<h1>${heading}</h1>\n<ul>\n`;
  for await (const { name, url, size } of entries) {
    const label = escaped(name);
    const linked = url !== undefined && isLinkable(url, ownScheme);
    const suffix = size === undefined ? '' : ` <small>${size}</small>`;
    yield `<li>${linked ? `<a href="${escaped(url)}">${label}</a>` : label}${suffix}\n`;
  }
  yield '</ul>\n';
}

/** Schemes that a browser hands to whoever speaks them; `javascript:` and `data:` it would run itself. */
const linkableSchemes: ReadonlySet<string> = new Set(
  'http https ftp ftps gopher gophers mailto news nntp nntps snews prospero telnet tn3270 wais'.split(' '),
);

/** A listing may link to its own scheme, above all one of files to files. */
function isLinkable(url: string, ownScheme: string | undefined): boolean {
  const scheme = schemeOf(url);
  return scheme !== undefined && (scheme === ownScheme || linkableSchemes.has(scheme));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
