/** Which servers a URL is retrieved from: the one it names, or those of the options (RFC 1738 §3.6). */
import { requireOneLine, RetrievalError, type RetrievalRequest } from '@retriever/driver';
import { defaultPort, parse, redactText, type NewsUrl, type NntpUrl, type Url } from '@retriever/url';
import type { NntpSettings } from './options.ts';

export interface NewsServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first octet. */
  readonly implicitTls: boolean;
  /** Who logs in when the server asks; undefined: the user is asked. */
  readonly user: Uint8Array | undefined;
  readonly password: Uint8Array | undefined;
}

type Locating = NewsUrl | NntpUrl;

const utf8 = new TextEncoder();

/** @throws RetrievalError `unsupported` when the URL names no server and the options have none, `policy` for a hostile login. */
export function serversFor(
  { url, credentials }: Pick<RetrievalRequest<Locating>, 'url' | 'credentials'>,
  settings: Pick<NntpSettings, 'servers'>,
): readonly NewsServer[] {
  const servers = url.host === undefined ? configured(url, settings.servers) : [serverOf(url, isSecure(url.scheme))];
  if (!credentials) return servers.map(checked);
  const { user, password } = credentials;
  const login = { user: utf8.encode(user), password: password === undefined ? undefined : utf8.encode(password) };
  return servers.map((server) => checked({ ...server, ...login }));
}

/** @throws RetrievalError `policy` when the login would end a command line (RFC 1738 §6). */
function checked(server: NewsServer): NewsServer {
  if (server.user) requireOneLine(server.user, 'the user name');
  if (server.password) requireOneLine(server.password, 'the password');
  return server;
}

const isSecure = (scheme: string): boolean => scheme === 'snews' || scheme === 'nntps';

function configured({ scheme }: Locating, servers: readonly string[]): readonly NewsServer[] {
  if (servers.length > 0) return servers.map((text) => configuredServer(text, isSecure(scheme)));
  throw new RetrievalError(
    'unsupported',
    `a ${scheme}: URL names no server; set the option \`servers\` or the environment's NNTPSERVER, ` +
      `or name one: ${scheme}://host/… (RFC 5538)`,
  );
}

/** @param secure Whether the URL wants TLS, whatever the server's own scheme says. */
function configuredServer(text: string, secure: boolean): NewsServer {
  const url = serverUrl(text);
  return serverOf(url, secure || isSecure(url.scheme));
}

function serverUrl(text: string): Locating & { readonly host: string } {
  const url = parsed(text.includes('://') ? text : `nntp://${text}`);
  const { grammar } = url ?? {};
  if (url && (grammar === 'news' || grammar === 'nntp') && 'host' in url && url.host) {
    return url as Locating & { readonly host: string };
  }
  throw new RetrievalError(
    'unsupported',
    `${JSON.stringify(redactText(text))} is no news server: a host, host:port or nntp://host:port is`,
  );
}

function parsed(text: string): Url | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function serverOf({ host = '', port, octets }: Partial<Locating>, implicitTls: boolean): NewsServer {
  const usual = defaultPort(implicitTls ? 'nntps' : 'nntp') ?? 119;
  return { host, port: port ?? usual, implicitTls, user: octets?.user, password: octets?.password };
}
