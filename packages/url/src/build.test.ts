import { describe, expect, test } from 'vitest';
import { build, parse, UrlSyntaxError, type Url } from './index.ts';

describe('builders encode what must be encoded (§2.2)', () => {
  const octets = Uint8Array.of(0, 0x25, 0xff);
  const built: [string, Url, string][] = [
    ['ftp, a slash in a segment', build.ftp({ host: 'h', directories: ['/etc'], name: 'motd' }), 'ftp://h/%2Fetc/motd'],
    ['ftp, octets', build.ftp({ host: 'h', name: octets, typecode: 'i' }), 'ftp://h/%00%25%FF;type=i'],
    ['ftp, a login', build.ftp({ host: 'h', user: 'a:b', password: 'c@d/' }), 'ftp://a%3Ab:c%40d%2F@h'],
    ['ftp, an empty user', build.ftp({ host: 'h', user: '', name: '' }), 'ftp://@h/'],
    ['ftps', build.ftp({ scheme: 'ftps', host: 'h', port: 2121 }), 'ftps://h:2121'],
    ['http', build.http({ host: 'h', path: 'a/b?', search: 'c=d&e' }), 'http://h/a/b%3F?c=d&e'],
    ['http, search alone', build.http({ host: 'h', search: 'q' }), 'http://h/?q'],
    ['gopher', build.gopher({ host: 'h', selector: '/a b' }), 'gopher://h/1/a%20b'],
    ['gopher, search', build.gopher({ host: 'h', gophertype: '7', selector: 's', search: 'a' }), 'gopher://h/7s%09a'],
    ['gopher, Gopher+', build.gopher({ host: 'h', gophertype: '0', gopherPlus: '+\t1' }), 'gopher://h/0%09%09+%091'],
    ['gopher, nothing', build.gopher({ host: 'h' }), 'gopher://h/'],
    ['mailto', build.mailto({ address: 'a%b@c' }), 'mailto:a%25b@c'],
    [
      'mailto, headers',
      build.mailto({ address: 'a@b', headers: [{ name: 'x', value: 'y&z=' }] }),
      'mailto:a@b?x=y%26z%3D',
    ],
    ['news, group', build.news({ group: 'comp.lang.c' }), 'news:comp.lang.c'],
    ['news, all', build.news({ group: '*' }), 'news:*'],
    ['news, article', build.news({ article: '<a b@c.d>' }), 'news:a%20b@c.d'],
    ['news, server', build.news({ scheme: 'snews', host: 'h', article: 'a@b' }), 'snews://h/a@b'],
    ['nntp', build.nntp({ host: 'h', group: 'g', article: 12 }), 'nntp://h/g/12'],
    ['nntp, range', build.nntp({ host: 'h', group: 'g', range: { low: 1 } }), 'nntp://h/g/1-'],
    ['telnet', build.telnet({ host: 'h', user: 'u', password: '' }), 'telnet://u:@h/'],
    ['wais', build.wais({ host: 'h', database: '/a', wtype: 'T', wpath: '1=2;' }), 'wais://h/%2Fa/T/1%3D2%3B'],
    ['wais, search', build.wais({ host: 'h', database: 'd', search: 'a b' }), 'wais://h/d?a%20b'],
    ['file', build.file({ directories: ['a'], name: 'ü' }), 'file:///a/%C3%BC'],
    [
      'prospero',
      build.prospero({ host: 'h', hsoname: '/a;b', fields: [{ name: 'v', value: '=' }] }),
      'prospero://h//a%3Bb;v=%3D',
    ],
    ['generic', build.generic({ scheme: 'x-foo', schemePart: 'a b' }), 'x-foo:a%20b'],
    ['generic, login', build.generic({ scheme: 'x-foo', host: 'h', urlPath: 'a' }), 'x-foo://h/a'],
    ['IPv6', build.http({ host: 'fe80::1%eth0' }), 'http://[fe80::1%25eth0]'],
    ['IDNA', build.http({ host: 'bücher.example' }), 'http://xn--bcher-kva.example'],
    ['a fragment', build.http({ host: 'h', fragment: 'a b' }), 'http://h#a%20b'],
  ];
  test.each(built)('%s', (_, url, text) => {
    expect(url.toString()).toBe(text);
    expect(parse(text).toJSON()).toEqual(url.toJSON());
  });
});

const refused: [string, () => Url, string][] = [
  ['a NUL in the host', () => build.ftp({ host: 'h\0' }), 'host'],
  ['a path in the host', () => build.ftp({ host: 'h/x' }), 'host'],
  ['a user in the host', () => build.ftp({ host: 'u@h' }), 'host'],
  ['a port in the host', () => build.ftp({ host: 'h:21' }), 'host'],
  ['an empty host', () => build.ftp({ host: '' }), 'host'],
  ['a number of three parts', () => build.http({ host: '127.0.1' }), 'hostnumber'],
  ['a port too great', () => build.http({ host: 'h', port: 65_536 }), 'port'],
  ['a port below zero', () => build.http({ host: 'h', port: -1 }), 'port'],
  ['half a port', () => build.http({ host: 'h', port: 1.5 }), 'port'],
  ['a tab in a selector', () => build.gopher({ host: 'h', selector: 'a\tb' }), 'selector'],
  ['a long item type', () => build.gopher({ host: 'h', gophertype: '12' }), 'gtype'],
  ['no address', () => build.mailto({}), 'encoded822addr'],
  ['a group and an article', () => build.news({ group: 'a', article: 'a@b' }), 'grouppart'],
  ['an article without "@"', () => build.news({ article: 'a' }), 'article'],
  ['an empty group', () => build.nntp({ host: 'h', group: '' }), 'group'],
  ['an article number that is none', () => build.nntp({ host: 'h', group: 'g', article: '1/2' }), 'digits'],
  ['an article of no group', () => build.nntp({ host: 'h', article: 1 }), 'group'],
  ['a scheme with another grammar', () => build.generic({ scheme: 'ftp', host: 'h' }), 'scheme'],
  ['a scheme with a colon', () => build.generic({ scheme: 'a:b', schemePart: 'c' }), 'scheme'],
  [
    'a search and a document',
    () => build.wais({ host: 'h', database: 'd', search: 's', wtype: 'T', wpath: 'p' }),
    'waisurl',
  ],
];
test.each(refused)('builders refuse %s', (_, run, rule) => {
  expect(run).toThrow(UrlSyntaxError);
  expect(run).toThrow(expect.objectContaining({ rule }));
});
