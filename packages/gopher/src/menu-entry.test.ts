/** Menu lines of every type, whole and damaged. */
import { latin1Of, type Entry } from '@retriever/driver';
import { parse, type GopherUrl } from '@retriever/url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { menuEntry, type MenuServer } from './menu-entry.ts';
import { menuLine } from './menu-line.ts';

const server: MenuServer = { scheme: 'gopher', host: 'here.example', port: 7070 };
const octets = (latin1: string): Uint8Array => Uint8Array.from(Buffer.from(latin1, 'latin1'));
const read = (line: string, previous?: string, from: MenuServer = server): Entry =>
  menuEntry(menuLine(octets(line)), from, previous);

describe('every item type (RFC 1436 §3.8)', () => {
  test.each([
    ['0', 'file', 'gopher://h.example/0/s'],
    ['1', 'directory', 'gopher://h.example/1/s'],
    ['2', 'search', 'gopher://h.example/2/s'],
    ['4', 'file', 'gopher://h.example/4/s'],
    ['5', 'file', 'gopher://h.example/5/s'],
    ['6', 'file', 'gopher://h.example/6/s'],
    ['7', 'search', 'gopher://h.example/7/s'],
    ['8', 'service', 'telnet://%2Fs@h.example:70/'],
    ['9', 'file', 'gopher://h.example/9/s'],
    ['T', 'service', 'tn3270://%2Fs@h.example:70/'],
    ['g', 'file', 'gopher://h.example/g/s'],
    ['I', 'file', 'gopher://h.example/I/s'],
    ['h', 'file', 'gopher://h.example/h/s'],
    ['s', 'file', 'gopher://h.example/s/s'],
    ['M', 'file', 'gopher://h.example/M/s'],
    [';', 'file', 'gopher://h.example/;/s'],
    [':', 'file', 'gopher://h.example/:/s'],
    ['<', 'file', 'gopher://h.example/%3C/s'],
    ['d', 'file', 'gopher://h.example/d/s'],
    ['p', 'file', 'gopher://h.example/p/s'],
    ['P', 'file', 'gopher://h.example/P/s'],
    ['X', 'file', 'gopher://h.example/X/s'],
    ['c', 'file', 'gopher://h.example/c/s'],
    ['#', 'file', 'gopher://h.example/%23/s'],
    ['%', 'file', 'gopher://h.example/%25/s'],
  ])('%s', (type, kind, url) => {
    const entry = read(`${type}Name\t/s\th.example\t70`);
    expect(entry).toMatchObject({ name: 'Name', kind, url, facts: { type } });
    expect(latin1Of(entry.rawName)).toBe('Name');
  });

  test.each([
    ['i', 'info'],
    ['3', 'error'],
  ])('%s is no link', (type, kind) => {
    const entry = read(`${type}Words\t/s\th.example\t70`);
    expect(entry).toMatchObject({ name: 'Words', kind, facts: { type } });
    expect(entry).not.toHaveProperty('url');
  });

  test('8 and T without a selector have no login name', () => {
    expect(read('8BBS\t\tbbs.example\t23').url).toBe('telnet://bbs.example/');
    expect(read('TLibrary\t\tlib.example\t23').url).toBe('tn3270://lib.example/');
    expect(read('8BBS\tguest\tbbs.example\t2323').url).toBe('telnet://guest@bbs.example:2323/');
  });

  test('+ is an alternative to the item before it, of its type', () => {
    const entry = read('+Mirror\t/s\tmirror.example\t70', '9');
    expect(entry).toMatchObject({
      kind: 'file',
      url: 'gopher://mirror.example/9/s',
      facts: { type: '+', redundantType: '9' },
    });
  });

  test('+ with nothing before it leads nowhere', () => {
    const entry = read('+Mirror\t/s\tmirror.example\t70');
    expect(entry.kind).toBe('other');
    expect(entry).not.toHaveProperty('url');
  });

  test('a control character or an octet above 0x7F is kept but makes no URL', () => {
    for (const type of ['\x01', '\xe9', '\x7f', ' ']) {
      const entry = read(`${type}Name\t/s\th.example\t70`);
      expect(entry).toMatchObject({ kind: 'other', facts: { type } });
      expect(entry).not.toHaveProperty('url');
    }
  });
});

describe('type h with a selector `URL:…`', () => {
  test.each([
    ['URL:https://www.example/a?b=c', 'https://www.example/a?b=c'],
    ['/URL:http://www.example/', 'http://www.example/'],
    ['url:ftp://ftp.example/pub/', 'ftp://ftp.example/pub/'],
    ['URL:mailto:a@example.org', 'mailto:a@example.org'],
    ['URL:gemini://g.example/', 'gemini://g.example/'],
  ])('%s is a link', (selector, url) => {
    expect(read(`hElsewhere\t${selector}\th.example\t70`)).toMatchObject({ kind: 'link', url, linkTarget: url });
  });

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'vbscript:x',
    'no url at all',
    'http://',
  ])('%s stays data', (target) => {
    const entry = read(`hElsewhere\tURL:${target}\th.example\t70`);
    expect(entry).toMatchObject({ kind: 'link', linkTarget: target });
    expect(entry).not.toHaveProperty('url');
  });

  test('a wrapper around the target is no part of the URL', () => {
    expect(read('hElsewhere\tURL:<URL:http://www.example/>\th.example\t70').url).toBe('http://www.example/');
    expect(read('hElsewhere\tURL:<URL:javascript:alert(1)>\th.example\t70')).not.toHaveProperty('url');
  });

  test('without a target it is a page of the server', () => {
    expect(read('hPage\tURL:\th.example\t70')).toMatchObject({ kind: 'file', url: 'gopher://h.example/hURL:' });
  });
});

describe('missing and damaged fields', () => {
  test.each([
    ['no host and no port: the server itself', '0A\t/a', 'gopher://here.example:7070/0/a'],
    ['empty host and port', '0A\t/a\t\t', 'gopher://here.example:7070/0/a'],
    ['an empty host: the server, at the port named', '0A\t/a\t\t71', 'gopher://here.example:71/0/a'],
    ['a host without a port: 70', '0A\t/a\th.example', 'gopher://h.example/0/a'],
    ['an empty selector', '1A\t\th.example\t70', 'gopher://h.example/1'],
    ['blanks around host and port', '0A\t/a\t h.example \t 70 ', 'gopher://h.example/0/a'],
    ['a stray CR', '0A\t/a\th.example\t70\r\r', 'gopher://h.example/0/a'],
    ['a stray CR after the selector', '0A\t/a\r', 'gopher://here.example:7070/0/a'],
    ['a Gopher+ field', '0A\t/a\th.example\t70\t+', 'gopher://h.example/0/a'],
    ['further fields', '0A\t/a\th.example\t70\t+\tx\ty', 'gopher://h.example/0/a'],
    ['an IPv6 address', '0A\t/a\t2001:db8::1\t70', 'gopher://[2001:db8::1]/0/a'],
    ['an IPv4 address', '0A\t/a\t127.0.0.1\t70', 'gopher://127.0.0.1/0/a'],
    ['a host in UTF-8', '0A\t/a\tb\xc3\xbccher.example\t70', 'gopher://xn--bcher-kva.example/0/a'],
    ['a blank in the selector', '0A\t/a b\th.example\t70', 'gopher://h.example/0/a%20b'],
    ['octets above 0x7F', '0A\t/caf\xe9\th.example\t70', 'gopher://h.example/0/caf%E9'],
    ['a percent sign', '0A\t/a%20b\th.example\t70', 'gopher://h.example/0/a%2520b'],
    ['a hash', '0A\t/a#b\th.example\t70', 'gopher://h.example/0/a%23b'],
    ['a question mark in a search engine is no search', '7A\t/a?b\th.example\t70', 'gopher://h.example/7/a%3Fb'],
    ['octets that would end a line', '0A\t/a\x00\rb\th.example\t70', 'gopher://h.example/0/a%00%0Db'],
  ])('%s', (_, line, url) => {
    expect(read(line).url).toBe(url);
  });

  test.each(['0', '65536', '-1', '7o', '70/x', '999999', '1e1'])('port %s: no URL, and a fact', (port) => {
    const entry = read(`0A\t/a\th.example\t${port}`);
    expect(entry).toMatchObject({ kind: 'file', facts: { type: '0', invalidPort: port } });
    expect(entry).not.toHaveProperty('url');
  });

  test.each(['a@b', 'a/b', 'a:1', 'a#b', 'a b', '(NULL)', 'h%00', '-', '..'])('host %s makes no other URL', (host) => {
    const entry = read(`0A\t/a\t${host}\t70`);
    if (entry.url !== undefined) expect((parse(entry.url) as GopherUrl).host).toBe(host);
    else expect(entry.facts).toMatchObject({ invalidHost: host });
  });

  test('a line without a TAB is text for people, whole', () => {
    expect(read('Error: File not found!')).toMatchObject({
      name: 'Error: File not found!',
      kind: 'info',
      facts: { stray: true },
    });
  });

  test('an info or error line without a TAB is what it says', () => {
    expect(read('iWelcome\r')).toMatchObject({ name: 'Welcome', kind: 'info' });
    expect(read('3Sorry')).toMatchObject({ name: 'Sorry', kind: 'error' });
  });

  test.each(['+', '?'])('the Gopher+ mark %s is a fact (RFC 1738 §3.4.4)', (mark) => {
    expect(read(`0A\t/a\th.example\t70\t${mark}`).facts).toEqual({ type: '0', gopherPlus: mark });
  });

  test('names are UTF-8 if valid, else latin1; the octets are kept', () => {
    expect(read('0caf\xc3\xa9\t/\th\t70').name).toBe('café');
    const latin1 = read('0caf\xe9\t/\th\t70');
    expect(latin1.name).toBe('café');
    expect(latin1.rawName).toEqual(octets('caf\xe9'));
  });
});

describe('gophers', () => {
  const secure: MenuServer = { scheme: 'gophers', host: 'here.example', port: 70 };

  test('the server itself is reached over TLS again', () => {
    expect(read('0A\t/a\tHERE.example\t70', undefined, secure).url).toBe('gophers://HERE.example/0/a');
    expect(read('0A\t/a', undefined, secure).url).toBe('gophers://here.example/0/a');
  });

  test('other servers and ports are not', () => {
    expect(read('0A\t/a\tthere.example\t70', undefined, secure).url).toBe('gopher://there.example/0/a');
    expect(read('0A\t/a\there.example\t71', undefined, secure).url).toBe('gopher://here.example:71/0/a');
  });
});

test('any line makes an entry whose URL is readable and asks for the very selector', () => {
  const field = fc.uint8Array({ maxLength: 12 }).map((value) => value.map((octet) => (octet === 9 ? 10 : octet)));
  const types = fc.constantFrom(
    '0',
    '1',
    '2',
    '4',
    '7',
    '9',
    'g',
    'I',
    's',
    'h',
    ';',
    'd',
    '<',
    'z',
    '#',
    '%',
    '?',
    '/',
  );
  fc.assert(
    fc.property(types, field, field, fc.integer({ min: 1, max: 65_535 }), (type, name, selector, port) => {
      const line = Buffer.concat([Buffer.from(type), name, octets('\t'), selector, octets(`\th.example\t${port}`)]);
      const entry = menuEntry(menuLine(line), server);
      expect(Buffer.from(entry.rawName).equals(name)).toBe(true);
      if (entry.kind === 'link') return;
      const url = parse(entry.url ?? '') as GopherUrl;
      expect(url.host).toBe('h.example');
      expect(url.port ?? 70).toBe(port);
      expect(Buffer.from(url.octets.selector).equals(selector)).toBe(true);
      expect(url.search).toBeUndefined();
    }),
  );
});

test('no line throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), (line) => void menuEntry(menuLine(line), server)),
  );
});
