/** Questions of transfers that run at once: one at a time, and the same one only once. */
import type { CredentialsSource } from '@retriever/client';
import type { Credentials, Realm } from '@retriever/driver';

/** Whoever asks what is being asked already gets the same answer. */
export function askingOnce(ask: CredentialsSource): (realm: Realm) => Promise<Credentials | undefined> {
  const pending = new Map<string, Promise<Credentials | undefined>>();
  let latest: Promise<unknown> = Promise.resolve();
  return (realm) => {
    const key = JSON.stringify(realm);
    const shared = pending.get(key);
    if (shared) return shared;
    const answer = latest.then(() => ask(realm));
    latest = answer.catch(() => undefined).then(() => pending.delete(key));
    pending.set(key, answer);
    return answer;
  };
}
