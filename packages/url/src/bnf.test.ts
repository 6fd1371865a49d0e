/** URLs generated from the BNF of RFC 1738 §5, and what single mutations make of them. */
import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caught } from '../../../test/vectors/parse-vectors.ts';
import { canParse, extract, format, parse, resolve, UrlSyntaxError } from './index.ts';

const RUNS = { numRuns: 300 };

const one = (characters: string): Arbitrary<string> => fc.constantFrom(...Array.from(characters));
const run = (part: Arbitrary<string>, minLength = 0, maxLength = 8): Arbitrary<string> =>
  fc.array(part, { minLength, maxLength }).map((parts) => parts.join(''));

const lowalpha = 'abcdefghijklmnopqrstuvwxyz';
const alpha = lowalpha + lowalpha.toUpperCase();
const digit = '0123456789';
const escape = fc.tuple(one('0123456789ABCDEFabcdef'), one('0123456789ABCDEFabcdef')).map(([a, b]) => `%${a}${b}`);
const uchar = (also = ''): Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: one(`${alpha}${digit}$-_.+!*'(),${also}`) }, { weight: 1, arbitrary: escape });
const digits = run(one(digit), 1, 5);

const label = fc
  .tuple(one(alpha + digit), run(one(`${alpha}${digit}-`)), one(alpha + digit))
  .map(([a, b, c]) => a + b + c);
const toplabel = fc.tuple(one(alpha), run(one(`${alpha}${digit}-`)), one(alpha + digit)).map(([a, b, c]) => a + b + c);
const hostname = fc
  .tuple(fc.array(label, { maxLength: 3 }), fc.oneof(one(alpha), toplabel))
  .map(([labels, top]) => [...labels, top].join('.'));
const hostnumber = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }).map((numbers) => numbers.join('.'));
const host = fc.oneof(hostname, hostnumber);
const port = fc.option(fc.nat(65_535), { nil: undefined });

/** Drops what is `undefined`: absent components are not defined. */
function present(components: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(components).filter(([, value]) => value !== undefined));
}

const hostport = fc.record({ host, port });
const login = fc
  .tuple(hostport, fc.option(run(uchar(';?&=')), { nil: undefined }), fc.option(run(uchar(';?&=')), { nil: undefined }))
  .map(([server, user, password]) => (user === undefined ? server : { user, password, ...server }));

function loginText(parts: {
  user?: string;
  password?: string | undefined;
  host: string;
  port?: number | undefined;
}): string {
  const password = parts.password === undefined ? '' : `:${parts.password}`;
  const user = parts.user === undefined ? '' : `${parts.user}${password}@`;
  return `//${user}${parts.host}${parts.port === undefined ? '' : `:${parts.port}`}`;
}

const optional = <T>(arbitrary: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const fsegment = run(uchar('?:@&='));
const xchars = run(uchar(';/?:@&='));
const selector = xchars.filter((text) => !text.includes('%09'));
const group = fc.tuple(one(alpha), run(one(`${alpha}${digit}-.+_`))).map(([a, b]) => a + b);
const field = fc.record({ name: run(uchar('?:@&')), value: run(uchar('?:@&')) });

type Case = [text: string, components: object];

const urls: Record<string, Arbitrary<Case>> = {
  ftp: fc
    .tuple(login, optional(fc.tuple(fc.array(fsegment, { maxLength: 4 }), fsegment, optional(one('aid')))))
    .map(([server, path]): Case => {
      if (path === undefined) return [`ftp:${loginText(server)}`, server];
      const [directories, name, typecode] = path;
      const type = typecode === undefined ? '' : `;type=${typecode}`;
      const segments = [...directories, name].map((segment) => `/${segment}`).join('');
      return [`ftp:${loginText(server)}${segments}${type}`, { ...server, directories, name, typecode }];
    }),
  http: fc
    .tuple(hostport, optional(fc.tuple(run(uchar('/;:@&=')), optional(run(uchar(';:@&='))))))
    .map(([server, [path, search] = [undefined, undefined]]): Case => {
      const tail = path === undefined ? '' : `/${path}${search === undefined ? '' : `?${search}`}`;
      return [`http:${loginText(server)}${tail}`, { ...server, path, search }];
    }),
  gopher: fc
    .tuple(hostport, uchar(';/?:@&='), selector, optional(fc.tuple(selector, optional(xchars))))
    .map(([server, gophertype, own, [search, gopherPlus] = [undefined, undefined]]): Case => {
      const plus = gopherPlus === undefined ? '' : `%09${gopherPlus}`;
      const tail = search === undefined ? '' : `%09${search}${plus}`;
      const text = `gopher:${loginText(server)}/${gophertype}${own}${tail}`;
      return [text, { ...server, gophertype, selector: own, search, gopherPlus }];
    }),
  // Without "?", which RFC 6068 took from addresses.
  mailto: run(uchar(';/:@&='), 1).map((address): Case => [`mailto:${address}`, { address, headers: [] }]),
  news: fc.oneof(
    fc.oneof(fc.constant('*'), group).map((name): Case => [`news:${name}`, { group: name }]),
    fc
      .tuple(run(uchar(';/?:&='), 1), host)
      // "//" begins the server of RFC 5538.
      .filter(([unique]) => !unique.startsWith('//'))
      .map(([unique, domain]): Case => [`news:${unique}@${domain}`, { article: `${unique}@${domain}` }]),
  ),
  nntp: fc.tuple(hostport, group, optional(digits)).map(([server, name, article]): Case => {
    const tail = article === undefined ? '' : `/${article}`;
    return [`nntp:${loginText(server)}/${name}${tail}`, { ...server, group: name, article }];
  }),
  telnet: fc
    .tuple(login, fc.constantFrom('', '/'))
    .map(([server, slash]): Case => [`telnet:${loginText(server)}${slash}`, server]),
  wais: fc
    .tuple(hostport, run(uchar()), optional(fc.oneof(run(uchar(';:@&=')), fc.tuple(run(uchar()), run(uchar())))))
    .map(([server, database, tail]): Case => {
      const start = `wais:${loginText(server)}/${database}`;
      if (tail === undefined) return [start, { ...server, database }];
      if (typeof tail === 'string') return [`${start}?${tail}`, { ...server, database, search: tail }];
      return [`${start}/${tail[0]}/${tail[1]}`, { ...server, database, wtype: tail[0], wpath: tail[1] }];
    }),
  file: fc
    .tuple(fc.oneof(fc.constantFrom('', 'localhost'), host), fc.array(fsegment, { maxLength: 4 }), fsegment)
    .map(([server, directories, name]): Case => {
      const path = [...directories, name].map((segment) => `/${segment}`).join('');
      return [`file://${server}${path}`, { host: server, directories, name }];
    }),
  prospero: fc
    .tuple(hostport, run(uchar('/?:@&=')), fc.array(field, { maxLength: 3 }))
    .map(([server, hsoname, fields]): Case => {
      const specs = fields.map(({ name, value }) => `;${name}=${value}`).join('');
      return [`prospero:${loginText(server)}/${hsoname}${specs}`, { ...server, hsoname, fields }];
    }),
  'x-test': xchars
    .filter((part) => !part.startsWith('//'))
    .map((schemePart): Case => [`x-test:${schemePart}`, { schemePart }]),
};

const JUDGED_WHOLE = new Set([
  'escape',
  'host',
  'hostname',
  'hostnumber',
  'ftptype',
  'fsegment',
  'digits',
  'nntpurl',
  'telneturl',
  'article',
  'group',
  'port',
  'ftpurl',
]);

/** What tolerant reading notes first, if it takes the text at all. */
function firstViolation(text: string): [string, number] | undefined {
  if (!canParse(text)) return undefined;
  const { rule, position } = parse(text).violations[0]!;
  return [rule, position];
}

describe.each(Object.entries(urls))('%s by the BNF (§5)', (scheme, arbitrary) => {
  test('parses to its components, strictly, and formats to the same text', () => {
    fc.assert(
      fc.property(arbitrary, ([text, components]) => {
        const url = parse(text, { strict: true });
        const { grammar, ...rest } = url.toJSON();
        expect(grammar).toBe(scheme === 'x-test' ? 'generic' : scheme);
        expect(rest).toEqual(present({ scheme, ...components }));
        expect(url.toString()).toBe(text);
        expect(url.violations).toEqual([]);
        expect(parse(format({ ...url })).toJSON()).toEqual(url.toJSON());
        if (scheme !== 'telnet') expect(format({ ...url })).toBe(text);
      }),
      RUNS,
    );
  });

  test('is refused strictly with any one character that no URL has, at its position', () => {
    fc.assert(
      fc.property(arbitrary, one(' "<>\\^`{|}~[]\u0000\t\n\u007Fé'), fc.nat(), ([text], bad, place) => {
        const at = text.indexOf(':') + 1 + (place % (text.length - text.indexOf(':')));
        // White space at the very end is trimmed: another departure.
        fc.pre(at < text.length || bad.trim() !== '');
        const mutated = text.slice(0, at) + bad + text.slice(at);
        const { rule, position } = caught(() => parse(mutated, { strict: true }));
        expect(position).toBeLessThanOrEqual(at);
        // Only what is judged as a whole is refused at its beginning.
        if (!JUDGED_WHOLE.has(rule) && rule !== `${scheme}url`) expect(position).toBe(at);
        expect(firstViolation(mutated) ?? [rule, position]).toEqual([rule, position]);
      }),
      RUNS,
    );
  });

  test('is refused with a broken escape', () => {
    if (scheme === 'telnet') return;
    fc.assert(
      fc.property(arbitrary, fc.constantFrom('%', '%4', '%zz', '%4g'), ([text], bad) => {
        expect(() => parse(text + bad, { strict: true })).toThrow(UrlSyntaxError);
      }),
      RUNS,
    );
  });
});

describe.each(['ftp', 'http', 'gopher', 'nntp', 'telnet', 'wais', 'prospero'])('%s', (scheme) => {
  test.each(['65536', '99999999999999999999', '-1', '1a', ' 1', '٣'])('refuses the port %s', (bad) => {
    expect(() => parse(`${scheme}://host.dom:${bad}/a`)).toThrow(expect.objectContaining({ rule: 'port' }));
  });

  test.each(['', 'a..b', 'a%41', '127.1', '0x7f.1', 'a:b:c'])('refuses the host %j', (bad) => {
    expect(() => parse(`${scheme}://${bad}/a`)).toThrow(UrlSyntaxError);
  });
});

describe('any text at all', () => {
  const ends = fc.constantFrom(
    'ftp://',
    'http://',
    'gopher://h/',
    'mailto:',
    'news:',
    'nntp://h/',
    'file:',
    'x:',
    '<URL:',
    '',
  );
  const text = fc.tuple(ends, fc.string({ unit: 'binary' })).map((parts) => parts.join(''));
  const alike = fc.string({ unit: one('a1:/?#@[]%4%;=&.-_ <>\\~\n\t\ud800é'), maxLength: 30 });

  test('parses, or throws a UrlSyntaxError whose position lies in it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          text,
          alike,
          fc.tuple(ends, alike).map((parts) => parts.join('')),
        ),
        (given) => {
          try {
            const url = parse(given);
            expect(url.octets).toBeDefined();
            for (const { position } of url.violations) expect(position).toBeLessThanOrEqual(url.toString().length);
          } catch (error) {
            expect(error).toBeInstanceOf(UrlSyntaxError);
            expect((error as UrlSyntaxError).position).toBeLessThanOrEqual(given.length);
          }
        },
      ),
      { numRuns: 3000 },
    );
  });

  test('extracts, and resolves or throws a UrlSyntaxError', () => {
    fc.assert(
      fc.property(fc.oneof(text, alike), (given) => {
        for (const { start, end } of extract(given)) expect(end).toBeGreaterThan(start);
        try {
          resolve('http://a/b/c/d;p?q', given);
        } catch (error) {
          expect(error).toBeInstanceOf(UrlSyntaxError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('lone surrogates stand for U+FFFD in octets, and are no host', () => {
    expect(parse('http://h/\ud800').violations.map(({ rule }) => rule)).toEqual(['hsegment']);
    expect(() => parse('http://\ud800/')).toThrow(expect.objectContaining({ rule: 'hostname' }));
  });

  test('is no longer than maxLength', () => {
    expect(() => parse('ftp://h/aa', { maxLength: 9 })).toThrow(expect.objectContaining({ rule: 'url', position: 9 }));
    expect(parse('ftp://h/a', { maxLength: 9 }).toString()).toBe('ftp://h/a');
  });

  // Some 10 ms each; a second look at every character would take many seconds.
  const hostile =
    '< <URL: <a> <x: <http: <http://x/> <URL:a-\n <\n> > > <URL:\n http:// http://% http://. http://x/( http://x/) http://x/, ' +
    'http://x/& _http://_ //a:b@ :// x:// a:a a. : - ( é mailto: mailto:// news: news:a@ ftp://x/;type=';
  test.each(hostile.split(' '))('is searched in linear time: %j', (unit) => {
    const many = unit.repeat(2 ** 18 / unit.length);
    for (const given of [many, `http://x/${many}`, `> ${' '.repeat(2 ** 16)}<\n${many}`, `<URL:http://x/\n${many}`]) {
      const started = performance.now();
      extract(given);
      expect(performance.now() - started).toBeLessThan(2000);
    }
  });

  const beginnings =
    'http:// http://[ http://h/ http://h/? http://h/# ftp:// ftp://h/ gopher://h/ mailto: mailto:? news: nntp://h/ ' +
    'telnet:// wais://h/ prospero://h/ file:/// x: x:// <URL: < URL:';
  test.each(beginnings.split(' '))('up to 64 KiB that begins with %s is read and resolved in linear time', (start) => {
    for (const unit of ['a', 'a-', '.', '@', ':', '/', ';type=', '%09', '&', ';a', '?']) {
      for (const end of ['!', '@h/', '#', '/..']) {
        const given = start + unit.repeat((65_500 - start.length - end.length) / unit.length) + end;
        const started = performance.now();
        canParse(given);
        expect(() => resolve('http://h/a/b', given)).not.toThrow(TypeError);
        expect(performance.now() - started).toBeLessThan(1000);
      }
    }
  });
});
