/** WAIS types of documents, the wtype of RFC 1738 §3.9, and the media types they stand for. */

const mediaTypes = new Map([
  ['TEXT', 'text/plain'],
  ['WSRC', 'application/x-wais-source'],
  ['WCAT', 'text/plain'],
  ['HTML', 'text/html'],
  ['URL', 'text/html'],
  ['GIF', 'image/gif'],
  ['JPEG', 'image/jpeg'],
  ['TIFF', 'image/tiff'],
  ['PICT', 'image/x-pict'],
  ['PS', 'application/postscript'],
  ['PDF', 'application/pdf'],
  ['DVI', 'application/x-dvi'],
]);

/** A server is free to call types what it likes: one that nobody knows is octets. */
export const mediaTypeOfDocument = (type: string): string => mediaTypes.get(type) ?? 'application/octet-stream';

/** What a document is of whose types the server told nothing. */
export const defaultType = 'TEXT';
