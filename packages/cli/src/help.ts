/** `--help`, made of the table of options. */
import { options } from './options.ts';
import type { Option, OptionGroup } from './options/option.ts';
import { wrapped } from './wrapped.ts';

const usage = `Usage: retriever [get] [OPTION]... URL...   retrieve what the URLs locate
       retriever ls [OPTION]... URL...      list a directory, a menu, one object
       retriever parse [OPTION]... URL...   take URLs apart by RFC 1738
       retriever extract [OPTION] [FILE]    find the URLs in a text, or in stdin
       retriever demo                       see it work, without a network

Options are curl's wherever curl has them. What is retrieved goes to stdout
unless -o or -O says otherwise; a listing goes there as the server sends it.
Text for a terminal is made harmless, binaries are refused there.
`;

const titles: Readonly<Record<OptionGroup, string>> = {
  output: 'Where it goes',
  request: 'What is asked for',
  http: 'HTTP',
  ftp: 'FTP',
  security: 'Whom to trust',
  limits: 'Limits',
  messages: 'What is told',
  commands: 'For single commands',
};

const notes = `
A file is opened at the first octet: a transfer that is refused leaves an
older file as it was. What came of one that breaks off stays, exit code 18;
-C - goes on there, and starts over when the object is not the same any more.
Names made of URLs (-O, -J) are plain names: they never leave the current
directory or --output-dir.

Exit codes are curl's, that of the last URL, with -Z of the last that failed:
0 done, 2 usage, 3 no URL, 6 name not resolved, 7 not connected,
9 access denied, 18 ended short, 22 HTTP error with -f, 23 cannot write,
26 cannot read, 28 time is up, 47 too many redirects, 60 certificate,
63 too long, 67 login denied, 78 no such object, 130 interrupted.

Examples:
  retriever ftp://ftp.example/pub/README           to stdout
  retriever -O -C - http://example.com/big.iso     from where big.iso ends
  retriever ls gopher://gopher.example/            a menu in columns
  retriever --json ftp://ftp.example/pub/ | jq .   a directory as JSON
`;

/** The column where explanations begin. */
const margin = 31;

/** @param columns - How wide the lines may be. */
export function helpText(columns = 80): string {
  const shown = options.filter(({ help }) => help !== undefined);
  const groups = Object.entries(titles).map(([group, title]) => {
    const rows = shown.filter((option) => option.group === group);
    return `\n${title}:\n${rows.map((option) => rowText(option, columns)).join('')}`;
  });
  return usage + groups.join('') + notes;
}

function spelling(option: Option): string {
  const short = option.short === undefined ? '    ' : `-${option.short}, `;
  return `${short}--${option.long}${'value' in option ? ` ${option.value}` : ''}`;
}

/** The spelling, and beside it the explanation in lines that fit. */
function rowText(option: Option, columns: number): string {
  const lines = wrapped(option.help ?? '', Math.max(30, columns - margin - 1));
  const names = `  ${spelling(option)}`;
  const first = names.length < margin ? names.padEnd(margin) : `${names}\n${' '.repeat(margin)}`;
  return `${first}${lines.join(`\n${' '.repeat(margin)}`)}\n`;
}
