/** Error 3 of Gopher+, "item has moved": a reference to where it now lives. */
import { bodyOf, type Reference } from '@retriever/driver';
import { build, decodeText, parse } from '@retriever/url';
import type { MenuServer } from './menu-entry.ts';
import { movedTo, type GopherError } from './reply-error.ts';
import type { GopherRequest } from './request.ts';

/** Undefined when the error is another one, or does not say where to in a way that can be followed safely. */
export function movedReference(error: GopherError, request: GopherRequest, server: MenuServer): Reference | undefined {
  const target = movedTo(error, server);
  if (target === undefined) return undefined;
  const body = bodyOf(new TextEncoder().encode(error.reply.text));
  return { kind: 'reference', target: withGopherPlus(target, request), body, metadata: { reply: error.reply } };
}

/** The same view or attributes are wanted there. Answers to a form stay with the server that they were given to. */
function withGopherPlus(target: string, { search, gopherPlus, plus }: GopherRequest): string {
  const url = parse(target);
  if (url.grammar !== 'gopher' || !gopherPlus || !plus || (plus.kind === 'view' && plus.answers)) return target;
  return build
    .gopher({
      scheme: url.scheme,
      host: url.host,
      ...(url.port !== undefined && { port: url.port }),
      gophertype: decodeText(url.gophertype ?? '1'),
      selector: url.octets.selector,
      search: search ?? '',
      gopherPlus: plus.kind === 'form' ? '?' : gopherPlus,
    })
    .toString();
}
