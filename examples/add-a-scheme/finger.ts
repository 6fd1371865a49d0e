/**
 * A driver for `finger:` URLs (RFC 1288; draft-ietf-uri-url-finger: `finger://host/user`), in what one needs to know.
 *
 * It depends on `@retriever/driver` alone. `finger.test.ts` beside it runs the conformance suite on it.
 */
import { commandLine, createBody, textOf, type Driver } from '@retriever/driver';
import { decode, type GenericUrl } from '@retriever/url';

/** Makes the driver: `createClient({ drivers: [finger()] })`. */
export function finger(): Driver<GenericUrl> {
  return {
    schemes: ['finger'],
    async retrieve({ url, metadataOnly }, access) {
      // Put together before the connection is made: a CR or LF in the URL is refused here, and nothing is sent.
      const user = decode(url.urlPath ?? '');
      const query = commandLine(user);
      const source = await access.connectForBody({ host: url.host ?? 'localhost', port: url.port ?? 79 });
      source.socket.write(query);
      access.report({ type: 'sent', text: textOf(user) });
      return {
        kind: 'content',
        metadata: { mediaType: 'text/plain' },
        // The protocol's "complete" is the end of the connection (RFC 1288 §2.2).
        body: createBody({
          pump: (sink) => (metadataOnly ? Promise.resolve() : source.pump(sink)),
          cancel: () => source.destroy(),
        }),
      };
    },
  };
}
