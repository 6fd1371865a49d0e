/** A file object: a reference to its access methods, or its octets where the server has them itself. */
import {
  bodyOf,
  mediaTypeOf,
  RetrievalError,
  textOf,
  type Content,
  type Metadata,
  type Reference,
} from '@retriever/driver';
import { accessMethods, prosperoUrl, shownMethod, type AccessMethod } from './access-method.ts';
import { ask, type Answered, type Context } from './ask.ts';
import { headersOf, modifiedOf, sizeOf, valuesOf } from './attributes.ts';
import { failureOf } from './failure.ts';
import type { Question } from './question.ts';
import { octetsOf } from './quoting.ts';

/** @throws RetrievalError `unsupported` when no access method can be followed. */
export async function fileObject(answered: Answered, context: Context): Promise<Reference | Content> {
  const { contents } = context.limits;
  const { question } = answered;
  const metadata = metadataOf(answered);
  const methods = accessMethods(answered.answer.attributes, defaultsOf(question), question.server);
  const itself = prosperoUrl(question.server, question.hsoname, question.version);
  const hasContents = methods.some((method) => isContents(method) && method.url === itself);
  const targets = new Set(methods.flatMap(({ url }) => (url === undefined || url === itself ? [] : [url])));
  const [target, ...alternatives] = targets;
  if (hasContents && (contents === 'first' || (contents === 'last' && target === undefined)))
    return content(question, metadata, context);
  if (target === undefined) throw nothingToFollow(methods);
  // For whoever does not follow it: the URLs, one a line. LOCAL and its like are told, never followed: they would name a file of whoever reads this.
  const body = bodyOf(new TextEncoder().encode([...targets, ''].join('\n')));
  return { kind: 'reference', target, alternatives, body, metadata };
}

function isContents({ method }: AccessMethod): boolean {
  return method === 'PROSPERO-CONTENTS';
}

function defaultsOf({ server, hsoname, version }: Question): Parameters<typeof accessMethods>[1] {
  return { host: { host: server.host, port: undefined }, server, hsoname, version };
}

function metadataOf({ question, answer: { attributes } }: Answered): Metadata {
  return {
    size: sizeOf(attributes),
    modified: modifiedOf(attributes),
    mediaType: mediaTypeOf(textOf(octetsOf(question.hsoname))),
    headers: headersOf(attributes),
  };
}

function nothingToFollow(methods: readonly AccessMethod[]): RetrievalError {
  const offered = methods.length === 0 ? 'none at all' : methods.map(shownMethod).join(', ');
  return new RetrievalError('unsupported', `no access method of the object can be followed; there are ${offered}`);
}

/** PROSPERO-CONTENTS: the octets come as an attribute, `DATA <octets>` or `TAGGED <tag> <octets>`. */
async function content(question: Question, metadata: Metadata, context: Context): Promise<Content> {
  const { answer } = await ask(question, 'contents', context);
  const values = valuesOf(answer.attributes, 'CONTENTS');
  if (values.length === 0 && answer.failure) throw failureOf(answer.failure);
  if (values.length === 0)
    throw new RetrievalError('protocol', 'the server offers the contents and does not send them');
  const octets = octetsOf(values.map(dataOf).join(''));
  const { size } = metadata;
  if (size !== undefined && octets.length !== size)
    throw new RetrievalError('incomplete', `the contents have ${octets.length} octets, the object has ${size}`);
  return { kind: 'content', body: bodyOf(octets), metadata: { ...metadata, size: octets.length } };
}

function dataOf([form, ...words]: readonly string[]): string {
  const data = form === 'DATA' ? words[0] : form === 'TAGGED' ? words[1] : undefined;
  if (data === undefined) throw new RetrievalError('protocol', `contents of an unknown form: ${form ?? 'none'}`);
  return data;
}
