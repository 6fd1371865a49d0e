/** Makes URLs from raw strings and octets, encoding what must be encoded (RFC 1738 §2.2). */
import { encodeFile, type RawFile } from './file.ts';
import { format } from './format.ts';
import { encodeFtp, type RawFtp } from './ftp.ts';
import { encodeGeneric, type RawGeneric } from './generic.ts';
import { encodeGopher, type RawGopher } from './gopher.ts';
import type { Components } from './grammar.ts';
import { encodeHttp, type RawHttp } from './http.ts';
import { encodeMailto, type RawMailto } from './mailto.ts';
import { encodeNews, type RawNews } from './news.ts';
import { encodeNntp, type RawNntp } from './nntp.ts';
import { parse } from './parse.ts';
import { encode, type Octets } from './percent.ts';
import { encodeProspero, type RawProspero } from './prospero.ts';
import { encodeTelnet, type RawTelnet } from './telnet.ts';
import type {
  FileUrl,
  FtpUrl,
  GenericUrl,
  GopherUrl,
  HttpUrl,
  MailtoUrl,
  NewsUrl,
  NntpUrl,
  ProsperoUrl,
  TelnetUrl,
  Url,
  WaisUrl,
} from './url.ts';
import { UrlSyntaxError } from './violation.ts';
import { encodeWais, type RawWais } from './wais.ts';

/** One builder a grammar. */
export interface Builders {
  ftp(raw: RawFtp): FtpUrl;
  http(raw: RawHttp): HttpUrl;
  gopher(raw: RawGopher): GopherUrl;
  mailto(raw: RawMailto): MailtoUrl;
  news(raw: RawNews): NewsUrl;
  nntp(raw: RawNntp): NntpUrl;
  telnet(raw: RawTelnet): TelnetUrl;
  wais(raw: RawWais): WaisUrl;
  file(raw: RawFile): FileUrl;
  prospero(raw: RawProspero): ProsperoUrl;
  generic(raw: RawGeneric): GenericUrl;
}

/**
 * Builders that take raw components, text (as UTF-8) or octets, and return the parsed URL.
 *
 * @throws UrlSyntaxError when the input makes no URL: a host with a NUL, a port above 65535.
 *
 * @example
 * ```ts
 * build.ftp({ host: 'host.dom', directories: ['/etc'], name: 'motd' }).toString();
 * // 'ftp://host.dom/%2Fetc/motd'
 * ```
 */
export const build: Builders = {
  ftp: (raw) => finish(encodeFtp(raw), raw),
  http: (raw) => finish(encodeHttp(raw), raw),
  gopher: (raw) => finish(encodeGopher(raw), raw),
  mailto: (raw) => finish(encodeMailto(raw), raw),
  news: (raw) => finish(encodeNews(raw), raw),
  nntp: (raw) => finish(encodeNntp(raw), raw),
  telnet: (raw) => finish(encodeTelnet(raw), raw),
  wais: (raw) => finish(encodeWais(raw), raw),
  file: (raw) => finish(encodeFile(raw), raw),
  prospero: (raw) => finish(encodeProspero(raw), raw),
  generic: (raw) => finish(encodeGeneric(raw), raw),
};

/** The URL of the components, if its text is read as the same grammar and scheme again. */
function finish<U extends Url>(components: Components<U>, { fragment }: { readonly fragment?: Octets }): U {
  const text = format(components);
  const url = parse(fragment === undefined ? text : `${text}#${encode(fragment, ';/?:@&=')}`);
  if (url.grammar !== components.grammar || url.scheme !== components.scheme) {
    throw new UrlSyntaxError('scheme', 0, `no ${components.grammar} URL has this scheme`);
  }
  return url as U;
}
