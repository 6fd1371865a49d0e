/**
 * Use a scheme of one's own beside the others.
 *
 *     node examples/add-a-scheme/main.ts finger://host.example/user
 */
import { createClient, standardPolicy } from 'retriever';
import { finger } from './finger.ts';

await using client = createClient({ drivers: [finger()], policy: standardPolicy({ allowedPorts: [79] }) });
const retrieved = await client.retrieve(process.argv[2] ?? 'finger://localhost/');
if (retrieved.kind === 'content') console.log(await retrieved.body.text());
