/** How fast the URL core reads URLs, beside the platform's `URL`. */
import { parse } from '@retriever/url';
import { median } from './measure.ts';
import { printTable } from './report.ts';

/** URLs that both can read, of the length people use. */
const shapes = [
  (n: number) => `http://www.example${n}.com/some/path/page-${n}.html?q=${n}`,
  (n: number) => `ftp://ftp.example${n}.org/pub/dir${n}/file-${n}.tar.gz;type=i`,
  (n: number) => `gopher://gopher.example${n}.net/0/phlog/entry-${n}.txt`,
  (n: number) => `https://user@host${n}.example:8443/a/b/c/${n}?x=1&y=2`,
];

const count = 10_000;

/** Prints nanoseconds per URL, three components read of each. */
export function benchParsing(runs: number): void {
  const urls = Array.from({ length: count }, (_, n) => shapes[n % shapes.length]!(n));
  const contestants = {
    'new URL': (text: string) => {
      const url = new URL(text);
      return url.hostname.length + url.pathname.length + url.port.length;
    },
    'retriever parse': (text: string) => {
      const url = parse(text);
      const last = url.grammar === 'ftp' ? url.name : url.grammar === 'http' ? url.path : '';
      return ('host' in url ? (url.host?.length ?? 0) : 0) + (last?.length ?? 0) + url.scheme.length;
    },
  };
  const figures = nanosecondsPerUrl(urls, contestants, runs);
  const base = figures[0]!.ns;
  printTable(
    `parse rate: ${count} URLs, three components read`,
    ['', 'ns/URL', 'ratio'],
    figures.map(({ name, ns }) => [name, ns.toFixed(0), (ns / base).toFixed(2)]),
  );
}

type Reader = (text: string) => number;

/** Medians; the contestants take turns, so that a busy machine is busy for all of them. */
function nanosecondsPerUrl(
  urls: readonly string[],
  contestants: Readonly<Record<string, Reader>>,
  runs: number,
): { name: string; ns: number }[] {
  let sum = 0;
  const round = (read: Reader): number => {
    const started = process.hrtime.bigint();
    for (const url of urls) sum += read(url);
    return Number(process.hrtime.bigint() - started) / urls.length;
  };
  const rows = Object.entries(contestants).map(([name, read]) => ({ name, read, rounds: [] as number[] }));
  // The compiler needs some rounds before it has seen enough.
  const warmUp = 20;
  for (let n = 0; n < warmUp + Math.max(runs, 21); n += 1) {
    for (const { read, rounds } of rows) {
      const ns = round(read);
      if (n >= warmUp) rounds.push(ns);
    }
  }
  if (sum === 0) throw new Error('nothing was read');
  return rows.map(({ name, rounds }) => ({ name, ns: median(rounds) }));
}
