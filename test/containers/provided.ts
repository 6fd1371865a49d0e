import type { ImageName } from './images.ts';

/** One running container: the address is the container's own, so every port and every passive port is reachable. */
export interface RunningServer {
  /** The container's id, for `docker exec`. */
  readonly id: string;
  readonly host: string;
}

export interface FtpServer extends RunningServer {
  readonly port: number;
  /** Implicit TLS. */
  readonly tlsPort?: number;
  /** Unroutable address in PASV, short idle time, data connections must resume the TLS session. */
  readonly limitsPort?: number;
  /** One client at a time. */
  readonly singlePort?: number;
  /** The authority that signed the server's certificate, PEM. */
  readonly ca: string;
}

export interface GopherServer extends RunningServer {
  readonly port: number;
}

export interface WebServer extends RunningServer {
  readonly port: number;
  readonly tlsPort: number;
  readonly expiredPort: number;
  readonly selfSignedPort: number;
  readonly wrongHostPort: number;
  readonly ca: string;
}

/** INN; user `alice`, password `wonderland`. */
export interface InnServer extends RunningServer {
  readonly port: number;
  /** Implicit TLS. */
  readonly tlsPort: number;
  /** Nothing without a login. */
  readonly loginPort: number;
  /** Transit mode until MODE READER. */
  readonly transitPort: number;
  /** The authority that signed the server's certificate, PEM. */
  readonly ca: string;
}

/** A server as RFC 977 has it. */
export interface SnServer extends RunningServer {
  readonly port: number;
}

/** A telnet daemon; user `alice`, password `wonderland`, prompt `ready> `. */
export interface TelnetServer extends RunningServer {
  readonly port: number;
}

export type FtpServerName = 'vsftpd' | 'proftpd' | 'pureftpd' | 'inetutils' | 'netkit';

declare module 'vitest' {
  interface ProvidedContext {
    ftp: Record<FtpServerName, FtpServer>;
    gopher: Record<'pygopherd' | 'gophernicus', GopherServer>;
    web: WebServer;
    telnet: Record<'inetutils' | 'netkit', TelnetServer>;
    news: { inn: InnServer; sn: SnServer };
    /** What `startDisposable` needs: the images' tags and the label of this run. */
    images: Record<ImageName, string>;
    run: string;
  }
}
