/** `--version`, in curl's form. */
import { readFileSync } from 'node:fs';
import { schemes } from './drivers.ts';

export function versionText(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const { node, openssl } = process.versions;
  return [
    `retriever ${version} (${process.platform}) node/${node} OpenSSL/${openssl}`,
    `Protocols: ${schemes.toSorted().join(' ')}`,
    'Features: brotli IPv6 json Largefile libz SSL zstd',
    '',
  ].join('\n');
}
