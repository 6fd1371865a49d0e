/** Links as entries of a listing. */
import { mediaTypeOf, textOf, type Entry, type EntryKind } from '@retriever/driver';
import { build, parse, UrlSyntaxError } from '@retriever/url';
import { accessMethods, isSafeName, prosperoUrl, shownMethod, type AccessMethod } from './access-method.ts';
import type { Link } from './answer.ts';
import { modifiedOf, sizeOf, valuesOf, type Attribute } from './attributes.ts';
import { readHost, type Place } from './place.ts';
import { prosperoPort, type Question } from './question.ts';
import { octetsOf } from './quoting.ts';

/** @param asked - The server that answered. */
export function entryOf(link: Link, asked: Place): Entry {
  const { attributes, target } = link;
  const rawName = octetsOf(link.name);
  const methods = methodsOf(link, asked);
  const url = linkUrl(link, methods, asked);
  const kind = kindOf(link, url);
  const name = textOf(rawName);
  const size = sizeOf(attributes);
  const modified = modifiedOf(attributes);
  const mediaType = kind === 'file' ? mediaTypeOf(name) : undefined;
  return {
    name,
    rawName,
    kind,
    ...(url !== undefined && { url }),
    ...(size !== undefined && { size }),
    ...(modified && { modified, precision: 'second' as const }),
    ...(mediaType !== undefined && { mediaType }),
    // An external link leads out of the directory: whoever lists it wants to see where to.
    ...(target === 'EXTERNAL' && url !== undefined && { linkTarget: url }),
    ...(target === 'SYMBOLIC' && { linkTarget: textOf(octetsOf(`${link.host} ${link.hsoname}`)) }),
    facts: factsOf(link, methods),
  };
}

/** The access methods that came with the link. */
function methodsOf(link: Link, asked: Place): AccessMethod[] {
  const { target, hsoname, version, attributes } = link;
  const host = readHost(link.host, asked);
  const isExternal = target === 'EXTERNAL';
  const defaults = {
    // The port of a link into Prospero is the Prospero server's, not that of the FTP server beside it.
    host: host && !isExternal ? { host: host.host, port: undefined } : host,
    server: host && !isExternal ? { host: host.host, port: host.port ?? prosperoPort } : undefined,
    hsoname,
    version,
  };
  return accessMethods(attributes, defaults, asked);
}

const prosperoTargets: ReadonlySet<string> = new Set(['FILE', 'DIRECTORY', 'DIRECTORY+FILE', 'OBJECT']);

/** RFC 1738 §3.11: a link out of Prospero is a URL of its access method, any other a prospero URL. */
function linkUrl(link: Link, methods: readonly AccessMethod[], asked: Place): string | undefined {
  if (link.target === 'EXTERNAL') return methods.find(({ url }) => url !== undefined)?.url;
  const question = questionOfLink(link, asked);
  return question && urlOrNone(() => prosperoUrl(question.server, question.hsoname, question.version));
}

/** What following a link within Prospero asks; undefined for other links. */
export function questionOfLink({ target, host, hsoname, version }: Link, asked: Place): Question | undefined {
  const named = prosperoTargets.has(target) ? readHost(host, asked) : undefined;
  if (!named || hsoname === '' || !isSafeName(hsoname)) return undefined;
  return { server: { host: named.host, port: named.port ?? prosperoPort }, hsoname, version };
}

function kindOf({ target, attributes }: Link, url: string | undefined): EntryKind {
  const [[interpretation] = []] = valuesOf(attributes, 'OBJECT-INTERPRETATION');
  if (interpretation === 'SEARCH') return 'search';
  if (target.startsWith('DIRECTORY')) return 'directory';
  if (target === 'FILE' || target === 'OBJECT') return 'file';
  if (target === 'SYMBOLIC') return 'link';
  return target === 'EXTERNAL' && url !== undefined ? kindOfUrl(url) : 'other';
}

function kindOfUrl(text: string): EntryKind {
  const url = parse(text);
  if (url.grammar === 'telnet') return 'service';
  if (url.grammar === 'gopher') {
    if (url.gophertype === '7') return 'search';
    return (url.gophertype ?? '1') === '1' ? 'directory' : 'file';
  }
  return url.grammar === 'ftp' && url.typecode === 'd' ? 'directory' : 'file';
}

/** Names of facts that other drivers have too. */
const sharedNames: Readonly<Record<string, string>> = {
  'UNIX-MODES': 'unix.mode',
  'NATIVE-OWNER': 'unix.owner',
  'NATIVE-GROUP': 'unix.group',
};
/** Told in other ways. */
const toldElsewhere: ReadonlySet<string> = new Set(['SIZE', 'LAST-MODIFIED', 'ACCESS-METHOD']);

function factsOf(link: Link, methods: readonly AccessMethod[]): Record<string, string | boolean> {
  const named = Map.groupBy(link.attributes, ({ name }) => name);
  const facts = [...named]
    .filter(([name]) => !toldElsewhere.has(name))
    .map(([name, attributes]): [string, string] => [factName(name), wordsOf(attributes, name)]);
  const ftp = archieDirectory(link);
  return Object.fromEntries<string | boolean>([
    ...facts,
    ['target', link.target],
    ...(link.isUnion ? [['union', true] as const] : []),
    ...(methods.length > 0 ? [['access-methods', methods.map(shownMethod).join(' ')] as const] : []),
    ...(ftp === undefined ? [] : [['ftp', ftp] as const]),
  ]);
}

function factName(name: string): string {
  return Object.hasOwn(sharedNames, name) ? sharedNames[name]! : textOf(octetsOf(name)).toLowerCase();
}

function wordsOf(attributes: readonly Attribute[], name: string): string {
  const values = valuesOf(attributes, name).map((words) => words.join(' '));
  return textOf(octetsOf(values.join('; ')));
}

/** `ARCHIE/HOST/<host>/<directory>`: Archie's clients show the directory of the FTP server that Archie has listed. */
function archieDirectory({ target, hsoname }: Link): string | undefined {
  const [, host, path] = /^ARCHIE\/HOST\/([^/\0\r\n]+)\/([^\0\r\n]*)$/.exec(hsoname) ?? [];
  if (target !== 'DIRECTORY' || host === undefined || path === undefined || !isSafeName(hsoname)) return undefined;
  const directories = path.replace(/\/$/, '').split('/').map(octetsOf);
  return urlOrNone(() => build.ftp({ host: host.toLowerCase(), directories, name: '' }).toString());
}

/** A host that a URL cannot have makes no URL. */
function urlOrNone(make: () => string): string | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof UrlSyntaxError) return undefined;
    throw error;
  }
}
