/** The telnet driver: RFC 854, RFC 1738 §3.8. */
import { textOf, type Driver, type Service } from '@retriever/driver';
import { defaultPort, type TelnetUrl } from '@retriever/url';
import { TelnetStream } from './telnet-stream.ts';

export interface TelnetOptions {
  /** What a server that asks is told the terminal is (RFC 1091): 1 to 40 printable characters of ASCII. Default `xterm`. */
  readonly terminalType?: string | undefined;
  /** The window a session begins with, in characters (RFC 1073). Default 80 columns, 24 rows. */
  readonly windowSize?: { readonly columns: number; readonly rows: number } | undefined;
  /** Ask for 8-bit data both ways as soon as a session is open (RFC 856). Default false: it is agreed to when asked for. */
  readonly binary?: boolean | undefined;
}

/** A telnet service whose session is a {@link TelnetStream}. */
export interface TelnetService extends Service {
  open(): Promise<TelnetStream>;
}

/**
 * Makes the driver for `telnet:`.
 *
 * A URL is answered without connecting: host, port, and the user and password that it advises, which are never sent
 * ("clients accessing a telnet URL merely advise the user", RFC 1738 §3.8). `open()` connects and gives a
 * {@link TelnetStream}, which agrees to ECHO and SGA of the server's, SGA, TTYPE and NAWS of ours, BINARY of both, and
 * refuses every other option. It asks for nothing by itself, so that also a server of another protocol may be talked to.
 *
 * @throws TypeError for a `terminalType` that is none.
 * @example
 * const client = createClient({ drivers: [telnet({ terminalType: 'dumb' })] });
 * const service = await client.retrieve('telnet://guest@host.example/');
 * if (service.kind === 'service') (await service.open()).pipe(process.stdout);
 */
export function telnet({
  terminalType = 'xterm',
  windowSize = { columns: 80, rows: 24 },
  binary = false,
}: TelnetOptions = {}): Driver<TelnetUrl> {
  if (!/^[\x21-\x7e]{1,40}$/.test(terminalType)) {
    throw new TypeError(`not a terminal type: ${JSON.stringify(terminalType)}; it is 1 to 40 characters of ASCII`);
  }
  return {
    schemes: ['telnet'],
    async retrieve({ url }, access): Promise<TelnetService> {
      access.signal.throwIfAborted();
      const { host, port = defaultPort('telnet') ?? 23 } = url;
      const { user, password } = url.octets;
      return {
        kind: 'service',
        host,
        port,
        ...(user && { user: textOf(user) }),
        ...(password && { password: textOf(password) }),
        async open() {
          const socket = await access.connect({ host, port });
          const stream = new TelnetStream(socket, {
            terminalType,
            windowSize,
            binary,
            report: (event) => access.report(event),
          });
          // An error nobody listens to (a caller that dropped the stream) must not end the process.
          return stream.on('error', () => undefined);
        },
      };
    },
  };
}
