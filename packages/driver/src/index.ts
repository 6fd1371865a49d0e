/** All a driver's author needs. See CONTRIBUTING.md, "Add a scheme". */
export type { Driver, RetrievalRequest, ByteRange } from './driver.ts';
export type {
  Access,
  BodySource,
  Credentials,
  DatagramChannel,
  Dial,
  Endpoint,
  Lease,
  LeaseOptions,
  OctetSource,
  Realm,
  Session,
  TlsRequest,
  TraceEvent,
} from './access.ts';
export type { Content, Listing, Mailbox, Metadata, Reference, Retrieval, Service, ServiceStream } from './retrieval.ts';
export type { Entry, EntryKind } from './entry.ts';
export { RetrievalError, type Reply, type RetrievalErrorCode, type RetrievalErrorOptions } from './retrieval-error.ts';
export { bodyOf, createBody, emptyBody, type Body, type BodyProducer, type BodySink } from './body.ts';
export { chunkSource, connectionLost, socketSource } from './octet-source.ts';
export { LineReader, type LineReaderOptions } from './line-reader.ts';
export { DotDecoder, type DotDecoderOptions } from './dot-decoder.ts';
export { ascii, commandLine, requireOneLine } from './command-line.ts';
export { latin1Of, textOf } from './octet-text.ts';
export { Dialogue, shownLine } from './dialogue.ts';
export { mediaTypeOf } from './media-type.ts';
export { heldLease, type HeldLease } from './held-lease.ts';
export { rangeWithin } from './byte-range.ts';
