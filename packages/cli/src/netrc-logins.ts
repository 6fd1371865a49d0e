/** Logins of a netrc file for every hop: a redirect to another host finds that host's own. */
import type { CredentialsSource, Layer, LayerRequest } from '@retriever/client';
import { decodeText } from '@retriever/url';
import { netrcEntry, type NetrcEntry } from './netrc.ts';
import type { Settings } from './settings.ts';

/** @param settings - `netrc`: whether it counts more than the URL's own login. */
export function netrcLogins(entries: readonly NetrcEntry[], { netrc }: Pick<Settings, 'netrc'>): Layer {
  if (entries.length === 0) return (next) => next;
  return (next) => (request) => next(withLogin(request, entries, netrc === 'optional'));
}

function withLogin(request: LayerRequest, entries: readonly NetrcEntry[], urlFirst: boolean): LayerRequest {
  const { url } = request;
  if (request.credentials || !('host' in url) || url.host === undefined) return request;
  const own = urlFirst && 'user' in url && url.user !== undefined ? url : undefined;
  if (own && 'password' in own && own.password !== undefined) return request;
  const known = own?.user === undefined ? undefined : decodeText(own.user);
  const { login = known, password } = netrcEntry(entries, url.host, known) ?? {};
  return login === undefined ? request : { ...request, credentials: { user: login, password } };
}

/** An FTP server that asks for an account (RFC 959 ACCT) gets the file's; anything else is asked of somebody. */
export function netrcAccounts(entries: readonly NetrcEntry[], ask: CredentialsSource): CredentialsSource {
  return (realm) => {
    const account = realm.wanted === 'account' ? netrcEntry(entries, realm.host, realm.user)?.account : undefined;
    return account === undefined ? ask(realm) : { account };
  };
}
