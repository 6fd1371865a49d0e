/** Every driver put together in one client. */
import {
  createClient as createBareClient,
  follow,
  type Client,
  type ClientOptions,
  type FollowOptions,
} from '@retriever/client';
import { file, type FileOptions } from '@retriever/file';
import { ftp, type FtpOptions } from '@retriever/ftp';
import { gopher, type GopherOptions } from '@retriever/gopher';
import { http, type HttpOptions } from '@retriever/http';
import { mailto } from '@retriever/mailto';
import { nntp, type NntpOptions } from '@retriever/nntp';
import { telnet, type TelnetOptions } from '@retriever/telnet';
import { prospero, type ProsperoOptions } from '@retriever/prospero';
import { wais, type WaisOptions } from '@retriever/wais';

/** Options of the client, and of each driver by its name. */
export interface RetrieverOptions extends Omit<ClientOptions, 'drivers'> {
  /** Drivers of your own; they come before ours. */
  readonly drivers?: ClientOptions['drivers'];
  readonly file?: FileOptions;
  readonly ftp?: FtpOptions;
  readonly gopher?: GopherOptions;
  readonly http?: HttpOptions;
  readonly nntp?: NntpOptions;
  readonly telnet?: TelnetOptions;
  readonly prospero?: ProsperoOptions;
  readonly wais?: WaisOptions;
  /** How references (HTTP redirects) are followed; false hands them out. Default: up to 20. */
  readonly follow?: FollowOptions | false;
}

/**
 * A client with every driver of this package.
 *
 * @example
 * const client = createClient({ timeouts: { total: 60_000 } });
 * const retrieved = await client.retrieve('ftp://ftp.example/pub/');
 */
export function createClient(options: RetrieverOptions = {}): Client {
  const { drivers = [], layers = [], follow: following = {}, ...rest } = options;
  return createBareClient({
    ...rest,
    drivers: [
      ...drivers,
      file(options.file),
      ftp(options.ftp),
      gopher(options.gopher),
      http(options.http),
      mailto(),
      nntp(options.nntp),
      telnet(options.telnet),
      prospero(options.prospero),
      wais(options.wais),
    ],
    layers: following === false ? layers : [...layers, follow(following)],
  });
}
