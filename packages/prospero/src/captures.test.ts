/** Against exchanges recorded with ISI's directory server (P53.17May94b), played back octet by octet. */
import type { Content, Listing, Reference, Retrieval } from '@retriever/driver';
import { describe, expect, test } from 'vitest';
import { answerOf } from '../testing/capture.ts';
import { replay } from '../testing/replay.ts';
import { visit } from '../testing/visit.ts';

function as<K extends Retrieval['kind']>(retrieval: Retrieval, kind: K): Retrieval & { readonly kind: K } {
  expect(retrieval.kind).toBe(kind);
  return retrieval as Retrieval & { readonly kind: K };
}

const id = { connectionId: () => 0x1234 };

describe('a file object', () => {
  test('is a reference to its access methods in the server’s order; LOCAL and the object itself are not followed', async () => {
    const { retrieval, said } = await visit(
      replay('goi-access-method-size'),
      '/AFTP/pub/docs/file%20with%20space.txt',
      id,
    );
    const reference: Reference = as(retrieval, 'reference');
    expect(reference.target).toBe('ftp://localhost/pub/docs/file%20with%20space.txt;type=i');
    expect(reference.metadata.size).toBe(16);
    expect(reference.metadata.headers?.map(([, value]) => value)).toContain('LOCAL    ');
    expect(said).toEqual([
      "VERSION 5 retriever\nAUTHENTICATE '' UNAUTHENTICATED anonymous\n" +
        "GET-OBJECT-INFO #ALL ASCII 'AFTP/pub/docs/file with space.txt' 0\n" +
        "DIRECTORY ASCII 'AFTP/pub/docs/file with space.txt'\nLIST ATTRIBUTES COMPONENTS\n",
    ]);
  });

  test('hands out its octets from PROSPERO-CONTENTS on request, a quoted LF among them', async () => {
    const { retrieval, said } = await visit(replay('goi-all', 'goi-contents'), '/AFTP/pub/docs/hello.txt', {
      contents: 'first',
    });
    const content: Content = as(retrieval, 'content');
    expect(await content.body.text()).toBe('Hello from the anonymous FTP area\n');
    expect(content.metadata.modified).toEqual(new Date('2026-11-20T17:18:32Z'));
    expect(said[1]).toContain("GET-OBJECT-INFO CONTENTS ASCII 'AFTP/pub/docs/hello.txt' 0\n");
  });
});

describe('a directory', () => {
  test('is a listing; the object’s own attributes come before its links (GET-OBJECT-INFO and LIST in one message)', async () => {
    const { retrieval, entries } = await visit(replay('goi-plus-list'), '/AFTP/pub/docs/sub');
    const listing: Listing = as(retrieval, 'listing');
    expect(listing.metadata.headers?.[0]).toEqual(['SIZE', '4096 bytes']);
    expect(entries).toMatchObject([
      { name: 'x.c', kind: 'file', url: 'prospero://localhost/AFTP/pub/docs/sub/x.c', size: 2 },
    ]);
    expect(entries[0]?.facts).toMatchObject({ 'unix.mode': '-rw-r--r--', target: 'FILE' });
    expect(await listing.body.text()).toBe(answerOf('goi-plus-list'));
  });

  test('without attributes of its own begins with NONE-FOUND', async () => {
    const { entries } = await visit(replay('shadow-only-dir'), '//srv/prospero00/run/pfsdat/odd');
    expect(entries.map(({ name }) => name)).toEqual(['withid', 'plain', 'loop', 'hidden', 'uloop']);
    expect(entries[0]?.facts?.['id']).toBe('REMOTE 55');
  });

  test('comes in packets that end within a word, its links to other protocols as their URLs (RFC 1738 §3.11)', async () => {
    const { entries } = await visit(replay('list-demo'), '//srv/prospero00/run/pfsdat/demo');
    expect(entries.map(({ name, kind, url }) => [name, kind, url])).toEqual([
      ['Fun Stuff', 'directory', 'gopher://gopher.example.org:150/11/Fun%20Stuff/Pyro'],
      ['readme', 'file', 'ftp://ftp.example.org/pub/readme.txt;type=a'],
      ['gtext', 'file', 'gopher://gopher.example.org/0/about%20me'],
      ['library', 'service', 'telnet://telnet.example.org/'],
      ['waisdoc', 'file', 'wais://wais.example.org/src/TEXT/1%3d0'],
      ['afsfile', 'other', undefined],
      ['nfsfile', 'other', undefined],
      ['sym', 'link', undefined],
      ['hello', 'file', 'prospero://localhost/AFTP/pub/docs/hello.txt'],
      ['docs', 'directory', 'prospero://localhost/AFTP/pub/docs'],
      ["it's +1, ok", 'file', "prospero://localhost/AFTP/pub/docs/it's"],
      ['remote', 'directory', 'prospero://localhost:1526/ARCHIE/HOST/ftp.cs.widener.edu/pub/archie'],
      ['query', 'directory', 'prospero://localhost:1526/ARCHIE/MATCH(95,95,95,0,=)/prospero.tar.Z'],
      ['ul', 'directory', 'prospero://localhost//srv/prospero00/run/pfsdat/demo-union'],
    ]);
    expect(entries[1]?.facts?.['access-methods']).toBe(
      'ftp://ftp.example.org/pub/readme.txt;type=a ftp://ftp.example.org:2121/%2Fexport/ftp/pub/readme.txt;type=a',
    );
    expect(entries[8]?.facts?.['description']).toBe("a greeting, isn't it");
    expect(entries[11]?.facts?.['ftp']).toBe('ftp://ftp.cs.widener.edu/pub/archie/');
  });
});
