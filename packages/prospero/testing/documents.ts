/** A small directory service that answers freely over documents of its own. */
import { readLines } from '../src/quoting.ts';

/** By hsoname: lines of an object's attributes, and lines of a directory's links; one of them at least. */
export type Documents = Readonly<Record<string, Document>>;

export interface Document {
  readonly attributes?: readonly string[];
  readonly links?: readonly string[];
  /** What GET-OBJECT-INFO CONTENTS answers. */
  readonly contents?: string;
  /** A FORWARDED line, and nothing else. */
  readonly forwarded?: string;
}

/** Answers the commands in order, up to the first that fails. */
export function service(documents: Documents): (request: string) => string {
  return (request) => {
    let answer = '';
    let directory: Document | undefined;
    for (const { words } of readLines(request)) {
      const [command = '', ...rest] = words;
      if (command === 'VERSION' && rest.length === 0) answer += 'VERSION 5 P53.test\n';
      if (command === 'DIRECTORY') directory = documents[rest[1] ?? ''];
      const said =
        command === 'GET-OBJECT-INFO'
          ? info(documents[rest[2] ?? ''], rest[0] ?? '')
          : command === 'LIST'
            ? list(directory)
            : '';
      answer += said;
      if (/^(FAILURE|FORWARDED)/m.test(said)) break;
    }
    return answer;
  };
}

function info(document: Document | undefined, wanted: string): string {
  if (!document) return 'FAILURE NOT-FOUND\n';
  const { forwarded, contents, attributes = [] } = document;
  if (forwarded !== undefined) return `${forwarded}\n`;
  if (wanted === 'CONTENTS' && contents !== undefined)
    return `ATTRIBUTE OBJECT INTRINSIC CONTENTS SEQUENCE DATA '${contents.replaceAll("'", "''")}'\n`;
  return attributes.length === 0
    ? 'NONE-FOUND\n'
    : lines(attributes.map((attribute) => `ATTRIBUTE OBJECT ${attribute}`));
}

function list(document: Document | undefined): string {
  if (document?.forwarded !== undefined) return `${document.forwarded}\n`;
  if (!document?.links) return 'FAILURE NOT-A-DIRECTORY\n';
  return document.links.length === 0 ? 'NONE-FOUND\n' : lines(document.links);
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
