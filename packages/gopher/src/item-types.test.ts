import { expect, test } from 'vitest';
import { itemTypeOf, mediaTypeOfItem } from './item-types.ts';

test.each(['0'])('type %s is a text that a lone dot may end (RFC 1436 §3.8)', (type) => {
  expect(itemTypeOf(type).framing).toBe('text');
});

test.each(['1', '7', '3'])('type %s is a menu', (type) => {
  expect(itemTypeOf(type).framing).toBe('menu');
});

test.each(['4', '5', '6', '9', 'g', 'I', 's', ';', '<', ':', 'd', 'P', 'p', 'h', 'M', 'X', 'c', 'r', '!', 'z', '+'])(
  'type %s runs to the end of the connection, untouched',
  (type) => {
    expect(itemTypeOf(type)).toMatchObject({ framing: 'octets', kind: 'file' });
  },
);

test.each([
  ['0', '/x.html', 'text/plain'],
  ['1', '/x', 'application/gopher-menu'],
  ['7', '/x', 'application/gopher-menu'],
  ['4', '/x.hqx', 'application/mac-binhex40'],
  ['5', '/x.zip', 'application/zip'],
  ['6', '/x.uu', 'text/x-uuencode'],
  ['9', '/x.pdf', 'application/pdf'],
  ['9', '/x', 'application/octet-stream'],
  ['g', '/x', 'image/gif'],
  ['I', '/x.jpg', 'image/jpeg'],
  ['I', '/x.html', 'application/octet-stream'],
  ['s', '/x.mp3', 'audio/mpeg'],
  [';', '/x.mp4', 'video/mp4'],
  ['p', '/x', 'image/png'],
  ['P', '/x', 'application/pdf'],
  ['h', '/x', 'text/html'],
  ['M', '/x', 'message/rfc822'],
  ['z', '/x.zip', 'application/zip'],
])('type %s of %s is %s', (type, selector, mediaType) => {
  expect(mediaTypeOfItem(type, selector)).toBe(mediaType);
});

test('a name of the object prototype is no type', () => {
  expect(itemTypeOf('constructor').kind).toBe('file');
});
