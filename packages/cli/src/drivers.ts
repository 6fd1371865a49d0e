/**
 * Every driver there is, each loaded when a URL of its scheme is first retrieved.
 *
 * The umbrella package puts the same drivers together, but loads them all: a command pays for that at every start.
 */
import type { Driver, RetrievalRequest } from '@retriever/driver';
import type { FtpOptions } from '@retriever/ftp';
import type { GopherOptions } from '@retriever/gopher';
import type { HttpOptions } from '@retriever/http';
import { terminalOptions } from './terminal-options.ts';

export interface DriverOptions {
  readonly ftp: FtpOptions;
  readonly gopher: GopherOptions;
  readonly http: HttpOptions;
}

// oxlint-disable-next-line typescript/no-explicit-any -- drivers of all URL types stand side by side
type AnyDriver = Driver<any>;

interface DriverRow {
  readonly schemes: readonly string[];
  readonly load: (options: DriverOptions) => Promise<AnyDriver>;
}

const rows: readonly DriverRow[] = [
  { schemes: ['file'], load: async () => (await import('@retriever/file')).file() },
  { schemes: ['ftp', 'ftps'], load: async ({ ftp }) => (await import('@retriever/ftp')).ftp(ftp) },
  { schemes: ['gopher', 'gophers'], load: async ({ gopher }) => (await import('@retriever/gopher')).gopher(gopher) },
  { schemes: ['http', 'https'], load: async ({ http }) => (await import('@retriever/http')).http(http) },
  { schemes: ['mailto'], load: async () => (await import('@retriever/mailto')).mailto() },
  {
    schemes: ['news', 'nntp', 'nntps', 'snews'],
    load: async () => (await import('@retriever/nntp')).nntp(),
  },
  { schemes: ['prospero'], load: async () => (await import('@retriever/prospero')).prospero() },
  { schemes: ['telnet'], load: async () => (await import('@retriever/telnet')).telnet(terminalOptions()) },
  { schemes: ['wais'], load: async () => (await import('@retriever/wais')).wais() },
];

/** The schemes that can be retrieved. */
export const schemes: readonly string[] = rows.flatMap((row) => row.schemes);

export function lazyDrivers(options: DriverOptions): AnyDriver[] {
  return rows.map((row) => {
    let loading: Promise<AnyDriver> | undefined;
    return {
      schemes: row.schemes,
      async retrieve(request: RetrievalRequest, access) {
        const driver = await (loading ??= row.load(options));
        return driver.retrieve(request, access);
      },
    };
  });
}
