/**
 * Ask Archie who has a file, and fetch it from the first FTP server that does.
 *
 *     node examples/archie-search.ts archie.example prospero.tar.Z
 */
import { archieUrl, createClient, RetrievalError } from 'retriever';

const [server = 'archie.example', search = 'prospero.tar.Z'] = process.argv.slice(2);
const [host = '', port = '1525'] = server.split(':');
await using client = createClient({ timeouts: { connect: 10_000, idle: 60_000 } });

// A search is the name of a directory, and its answer the directory's listing.
const answer = await client.retrieve(archieUrl({ host, port: Number(port), search, match: 'exact-or-substring' }));
if (answer.kind !== 'listing') throw new Error(`the answer is a ${answer.kind}`);
const places: string[] = [];
for await (const { name, size, url } of answer.entries) {
  console.log(`${size ?? '-'}\t${JSON.stringify(name)}\t${url ?? '-'}`);
  if (url?.startsWith('ftp:') === true) places.push(url);
}

for (const place of places) {
  try {
    const found = await client.retrieve(place);
    if (found.kind !== 'content') continue;
    console.log(`${(await found.body.bytes()).length} octets from ${place}`);
    break;
  } catch (error) {
    // Archie's answers are months old: the next server may still have it.
    if (!(error instanceof RetrievalError)) throw error;
    console.log(`${error.code}\t${place}`);
  }
}
