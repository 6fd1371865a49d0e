/**
 * A script: fetch any URL and look at the answer as with the built-in fetch.
 *
 *     node examples/script.ts ftp://ftp.example/pub/README
 */
import { fetch } from 'retriever';

const response = await fetch(process.argv[2] ?? 'file:///etc/hostname');
console.error(response.status, response.headers.get('content-type'));
console.log(await response.text());
