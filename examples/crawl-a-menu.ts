/**
 * Crawl one level of a gopher menu, a few retrievals at a time, with a policy of one's own.
 *
 *     node examples/crawl-a-menu.ts gopher://gopher.example/
 */
import { createClient, limit, RetrievalError, standardPolicy } from 'retriever';

const start = process.argv[2] ?? 'gopher://gopher.example/';
const standard = standardPolicy();
await using client = createClient({
  layers: [limit({ maxBytes: 1024 * 1024 })],
  timeouts: { connect: 5_000, idle: 10_000, total: 30_000 },
  policy: {
    ...standard,
    // A crawler stays out of the local files, whatever a menu says.
    url: (question) => (question.url.scheme === 'file' ? 'no local files' : standard.url?.(question)),
  },
});

const menu = await client.retrieve(start);
if (menu.kind !== 'listing') throw new Error(`${start} is a ${menu.kind}`);
const links: string[] = [];
for await (const { url } of menu.entries) if (url !== undefined) links.push(url);
// An iterator shared by workers: a pool of four without a library.
const queue = links.values();
const worker = async (): Promise<void> => {
  for (const url of queue) console.log(await describe(url));
};
await Promise.all([worker(), worker(), worker(), worker()]);

async function describe(url: string): Promise<string> {
  try {
    const found = await client.retrieve(url);
    if (found.kind !== 'content') {
      if ('body' in found) await found.body?.cancel();
      return `${found.kind}\t${url}`;
    }
    return `${(await found.body.bytes()).length} octets\t${url}`;
  } catch (error) {
    if (!(error instanceof RetrievalError)) throw error;
    return `${error.code}\t${url}`;
  }
}
