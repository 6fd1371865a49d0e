/** Who logs in (RFC 1738 §3.2.1), as the octets that USER and PASS get. */
import { ascii, requireOneLine, type RetrievalRequest } from '@retriever/driver';
import type { FtpUrl } from '@retriever/url';
import type { FtpSettings } from './options.ts';

export interface Identity {
  readonly user: Uint8Array;
  /** Undefined: none was given; the user is asked if the server asks. */
  readonly password: Uint8Array | undefined;
  /** Nobody gave a user name: the conventions of anonymous FTP are in force. */
  readonly anonymous: boolean;
}

const utf8 = new TextEncoder();

/** @throws RetrievalError `policy` when a part would end a command line (RFC 1738 §6). */
export function identityOf(
  { url, credentials }: Pick<RetrievalRequest<FtpUrl>, 'url' | 'credentials'>,
  settings: FtpSettings,
): Identity {
  if (settings.account !== undefined) requireOneLine(utf8.encode(settings.account), 'the account');
  const given = credentials
    ? {
        user: utf8.encode(credentials.user),
        password: credentials.password === undefined ? undefined : utf8.encode(credentials.password),
      }
    : url.octets;
  // RFC 1738 §3.1: an empty user is not the same as none. `ftp://@host/` sends `USER ` and nothing after it.
  if (given.user === undefined)
    return {
      user: ascii('anonymous'),
      password: requireOneLine(utf8.encode(settings.anonymousPassword), 'the password'),
      anonymous: true,
    };
  return {
    user: requireOneLine(given.user, 'the user name'),
    password: given.password && requireOneLine(given.password, 'the password'),
    anonymous: false,
  };
}
