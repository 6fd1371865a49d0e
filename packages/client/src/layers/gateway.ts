/** Gateways: a scheme that is not spoken here, retrieved through a URL of another (RFC 1738 §4). */
import { encode, parse } from '@retriever/url';
import type { Layer } from '../layer.ts';

/** For each scheme the URL that the encoded original is appended to: `{ wais: 'http://gateway.example/wais?' }`. */
export type Gateways = Readonly<Record<string, string>>;

/** Retrieves URLs of the schemes named through their gateways. Credentials given beside the URL are not for the gateway. */
export function gateway(gateways: Gateways): Layer {
  return (next) => (request) => {
    const prefix = Object.hasOwn(gateways, request.url.scheme) ? gateways[request.url.scheme] : undefined;
    if (prefix === undefined) return next(request);
    return next({ ...request, url: parse(prefix + encode(String(request.url))), credentials: undefined });
  };
}
