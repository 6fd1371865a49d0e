/** Items that are not retrieved by gopher: the URL already says all there is to know, so nobody is asked. */
import { textOf, type Access, type Endpoint, type Reference, type Service } from '@retriever/driver';
import { safeUrl, urlOfSelector } from './menu-entry.ts';
import type { GopherRequest } from './request.ts';

/** A reference for `URL:` items, a service for types 8 and T; undefined for what a server is to be asked for. */
export function elsewhere(request: GopherRequest, endpoint: Endpoint, access: Access): Reference | Service | undefined {
  switch (request.type) {
    case 'h':
      // Its attributes the gopher server knows.
      return request.plus && request.plus.kind !== 'view' ? undefined : reference(request.selector);
    case '8':
    case 'T':
      return service(request.selector, endpoint, access);
    default:
      return undefined;
  }
}

/** Undefined when the server is to be asked: most answer such a selector with a page that holds the link. */
function reference(selector: Uint8Array): Reference | undefined {
  const target = safeUrl(urlOfSelector(selector) ?? '');
  return target === undefined ? undefined : { kind: 'reference', target, metadata: {} };
}

/** RFC 1436 §3.8: the selector is the name to log in with. */
function service(selector: Uint8Array, endpoint: Endpoint, access: Access): Service {
  const user = selector.length > 0 ? { user: textOf(selector) } : {};
  return { kind: 'service', host: endpoint.host, port: endpoint.port, ...user, open: () => access.connect(endpoint) };
}
