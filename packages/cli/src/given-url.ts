/** A URL as people give it on a command line. */
import { defaultPort, isReserved, parse, type Url } from '@retriever/url';
import { schemes } from './drivers.ts';
import type { Settings } from './settings.ts';

/** Parses it, with what the options add. @throws UrlSyntaxError */
export function urlGiven(text: string, { useAscii }: Pick<Settings, 'useAscii'>): Url {
  const url = parse(isBareHost(text) ? `http://${text}` : text);
  return useAscii ? withTypecode(url, 'a') : url;
}

/**
 * `example.com/x` and `localhost:8080/` mean http, as with curl. A scheme that is one is never guessed over:
 * only a known host's form, or a scheme nobody knows followed by a port, is taken for a host.
 */
export function isBareHost(text: string): boolean {
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return /^(\[[\da-f:.%]+\]|[\w-]+(\.[\w-]+)*\.?)(:\d+)?([/?#]|$)/i.test(text);
  if (schemes.includes(scheme) || defaultPort(scheme) !== undefined || isReserved(scheme)) return false;
  return /^[^:]+:\d{1,5}([/?#]|$)/.test(text) && !['mailto', 'news', 'file'].includes(scheme);
}

/** The URL with a typecode, if it is one that may have one and has none. */
export function withTypecode(url: Url, typecode: 'a' | 'i'): Url {
  if (url.grammar !== 'ftp' || url.typecode !== undefined || !url.name) return url;
  const text = String(url);
  const end = url.fragment === undefined ? text.length : text.length - url.fragment.length - 1;
  return parse(`${text.slice(0, end)};type=${typecode}${text.slice(end)}`);
}
