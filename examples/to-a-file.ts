/**
 * Stream a body to a file: no octet is copied on the way, and memory does not grow with the file.
 *
 *     node examples/to-a-file.ts ftp://ftp.example/pub/image.iso image.iso
 */
import { open } from 'node:fs/promises';
import { retrieve } from 'retriever';

const [url = 'file:///etc/hostname', path = 'download'] = process.argv.slice(2);
const retrieved = await retrieve(url);
if (retrieved.kind !== 'content') throw new Error(`${url} is a ${retrieved.kind}`);

await using file = await open(path, 'w');
await retrieved.body.pipeTo(async (chunk) => {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten;
});
console.log(`${(await file.stat()).size} octets of ${retrieved.metadata.mediaType ?? 'unknown type'} in ${path}`);
