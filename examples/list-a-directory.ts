/**
 * List a directory, whatever the scheme: the entries have one shape for ftp:, file: and gopher:.
 *
 *     node examples/list-a-directory.ts ftp://ftp.example/pub/
 */
import { retrieve } from 'retriever';

const url = process.argv[2] ?? 'file:///etc/';
const retrieved = await retrieve(url);
if (retrieved.kind !== 'listing') throw new Error(`${url} is a ${retrieved.kind}`);

for await (const entry of retrieved.entries) {
  // A server may name things as it likes: JSON keeps control characters out of the terminal.
  console.log(
    [entry.kind, entry.size ?? '-', entry.modified?.toISOString() ?? '-', JSON.stringify(entry.name)].join('\t'),
  );
}
