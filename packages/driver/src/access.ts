/** What the client gives a driver: connections, sessions, credentials and a place to report. The client dials, the driver speaks. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { BodySink } from './body.ts';

/**
 * A driver's whole access to the world during one retrieval.
 *
 * Everything opened through it is closed when the retrieval ends, fails or is aborted; policy, DNS, proxies, TLS, time-outs
 * and tracing happen behind it, so that no driver can go round them.
 */
export interface Access extends Dial {
  /**
   * Hands out an idle session with this key, or opens one. A protocol login outlives the request that opened it.
   *
   * The key must tell apart everything that makes sessions differ: host, port, user, password, TLS. It is never shown.
   * `open` must dial through the {@link Dial} it is given: what it opens then belongs to the session.
   */
  lease<S extends Session>(key: string, open: (dial: Dial) => Promise<S>, options?: LeaseOptions<S>): Promise<Lease<S>>;
  /** Asks the user. Undefined means nobody answered: the driver then fails with code `credentials` and invents nothing (RFC 1738 §3.2.1). */
  credentials(realm: Realm): Promise<Credentials | undefined>;
  /** Puts an event on the trace. A line that holds a secret is reported with the secret masked. */
  report(event: TraceEvent): void;
  /** Aborted when the caller gives up or a deadline passes; every socket is then closed already. */
  readonly signal: AbortSignal;
}

/** Opens connections. Each is put to policy, by name and by address, before a packet leaves. */
export interface Dial {
  /** A connection for dialogue. Resolves when it is connected and, with `tls`, secured. */
  connect(endpoint: Endpoint): Promise<Socket>;
  /**
   * A connection whose octets are read through one large reusable buffer: for bodies. Resolves when TCP is connected;
   * with `tls` the handshake goes on meanwhile (FTP servers begin theirs only after RETR) and reading waits for it.
   */
  connectForBody(endpoint: Endpoint): Promise<BodySource>;
  /** Secures an open connection (FTP's AUTH TLS, STARTTLS). Nothing more may be read from `socket` itself. */
  startTls(socket: Socket, tls: TlsRequest & { readonly serverName: string }): Promise<TLSSocket>;
  /** Datagrams to and from one endpoint (Prospero's ARDP over UDP). */
  datagrams(endpoint: Endpoint): Promise<DatagramChannel>;
}

/** Where to connect. */
export interface Endpoint {
  /** A host name or an address, as the URL or the server gives it; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** TLS from the first octet. */
  readonly tls?: TlsRequest | undefined;
  /** Connect to the very address this socket reached, whatever `host` resolves to now (FTP data connections). */
  readonly beside?: Socket | undefined;
}

/** How to secure a connection; certificates, trust and versions are the client's options. */
export interface TlsRequest {
  /** The name that the certificate must bear. Default: the endpoint's host. */
  readonly serverName?: string | undefined;
  /** Resume the TLS session of this connection (FTP data connections, RFC 4217 §12). */
  readonly resume?: Socket | undefined;
  /** Application protocols to offer, in order. */
  readonly alpn?: readonly string[] | undefined;
}

/**
 * The reading side of a connection dialled for a body. Nothing is read before the first call.
 *
 * `read` and `pump` may follow each other (a head first, then the rest), never overlap.
 */
export interface BodySource extends OctetSource {
  /** For writing a request, and for what TLS knows of the peer. Not for reading. */
  readonly socket: Socket;
  /** Pushes every octet into the sink until the peer ends. A chunk is valid only until the sink's promise settles. */
  pump(sink: BodySink): Promise<void>;
  /** Closes the connection at once. */
  destroy(): void;
}

/** Something octets are pulled from. */
export interface OctetSource {
  /** The next octets, the caller's to keep; undefined at the end. @throws when the connection failed. */
  read(): Promise<Uint8Array | undefined>;
}

/** Datagrams exchanged with one endpoint. */
export interface DatagramChannel {
  send(datagram: Uint8Array): Promise<void>;
  /** The next datagram and who sent it; a server may answer from another port. Undefined when none came in `waitMs` milliseconds. */
  receive(
    waitMs: number,
    options?: {
      /** The peer asked for this patience (ARDP's wait), so its silence is none: the idle clock stands still. Default false. */
      readonly askedFor?: boolean;
    },
  ): Promise<{ readonly datagram: Uint8Array; readonly address: string; readonly port: number } | undefined>;
  /** Leaves a datagram to be sent when the channel closes for whatever reason, an abort too; undefined takes it back. */
  farewell(datagram: Uint8Array | undefined): void;
  close(): void;
}

/** A conversation with a server that outlives one retrieval. */
export interface Session {
  /** False as soon as the session can serve nobody any more; the pool then opens another. */
  readonly usable: boolean;
  /** Keeps an idle session alive (FTP's NOOP); rejects when it is dead. */
  keepAlive?(): Promise<void>;
  /** Ends the session politely and soon; its sockets are closed afterwards in any case. */
  close(): void;
}

export interface LeaseOptions<S extends Session> {
  /**
   * Sends this retrieval's requests on a session that serves another one still, behind what that one sent (pipelining), so
   * that the answers are on their way when the lease comes. Called only while the lease would have to wait, and only on a
   * session whose holder said {@link Lease.doneSending}; again, on another, where the first comes to nothing. Must not throw.
   *
   * Returns what withdraws the requests: called when the lease will not be for that session, which lives on.
   */
  readonly ahead?: ((session: S) => () => void) | undefined;
}

/** A session in the hands of one retrieval; exactly one of `release` and `discard` ends that. */
export interface Lease<S extends Session> {
  readonly session: S;
  /** Whether the session served another retrieval before; one that proves dead is worth a second try on a new one. */
  readonly reused: boolean;
  /** Tells that this retrieval will send no more: those who wait for the session may send {@link LeaseOptions.ahead}. */
  doneSending(): void;
  /** Gives the session back for the next retrieval. */
  release(): void;
  /** Closes the session: it is dead, in doubt, or in a state that cannot be undone. */
  discard(): void;
}

/** Who asks for credentials. */
export interface Realm {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  /** What is missing: a user with a password, a password for `user`, or an account for `user` (FTP's ACCT). */
  readonly wanted: 'login' | 'password' | 'account';
  readonly user?: string | undefined;
  /** The peer's own words about what it wants. */
  readonly prompt?: string | undefined;
}

/** An answer to {@link Realm}. */
export interface Credentials {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly account?: string | undefined;
}

/** One event of a trace. Texts hold no secret; controls in them are the peer's own and unescaped. */
export type TraceEvent =
  /** A protocol line, without its line end. */
  | { readonly type: 'sent' | 'received'; readonly text: string }
  /** Anything worth telling a person: a fall-back, a tolerated fault of the peer. */
  | { readonly type: 'note'; readonly text: string }
  | { readonly type: 'resolved'; readonly host: string; readonly addresses: readonly string[] }
  | {
      readonly type: 'connecting';
      readonly host: string;
      readonly address: string;
      readonly port: number;
    }
  | {
      readonly type: 'connected';
      readonly host: string;
      readonly address: string;
      readonly port: number;
    }
  | {
      readonly type: 'secured';
      readonly protocol: string;
      readonly cipher: string;
      readonly resumed: boolean;
    }
  | { readonly type: 'leased' | 'released' | 'discarded'; readonly reused: boolean }
  | { readonly type: 'redirected'; readonly target: string }
  | {
      readonly type: 'retrying';
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason: string;
    };
