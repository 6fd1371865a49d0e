/** Attributes of objects and links: `ATTRIBUTE <precedence> <nature> <name> [<type>] <words>`. */

export interface Attribute {
  readonly precedence: string;
  readonly name: string;
  /** Its value: one word or many. Several attributes of a name are several values, their order has meaning. */
  readonly words: readonly string[];
}

const TYPES: ReadonlySet<string> = new Set(['SEQUENCE', 'LINK', 'FILTER']);
/** What the link says in the object's place beats the object, which beats what the link remembers of it. */
const PRECEDENCE = ['REPLACEMENT', 'LINK', 'OBJECT', 'CACHED'] as const;

/** Reads an attribute's line. Fields come with the word for their type and without. Undefined for a nested or a short one. */
export function readAttribute([keyword, ...words]: readonly string[]): Attribute | undefined {
  // ATTRIBUTE> is an attribute of the attribute above it.
  if (keyword !== 'ATTRIBUTE' || words.length < 3) return undefined;
  const [precedence = '', , name = '', ...rest] = words;
  const hasType = TYPES.has(rest[0] ?? '') && rest.length > 1;
  return { precedence, name, words: hasType ? rest.slice(1) : rest };
}

/** The values of a name that count: those of the highest precedence there is, and all ADDITIONAL ones. */
export function valuesOf(attributes: readonly Attribute[], name: string): (readonly string[])[] {
  const named = attributes.filter((attribute) => attribute.name === name);
  const precedence = PRECEDENCE.find((one) => named.some((attribute) => attribute.precedence === one));
  return named
    .filter((attribute) => attribute.precedence === precedence || attribute.precedence === 'ADDITIONAL')
    .map(({ words }) => words);
}

/** `SIZE`: one word of number and unit, `34 bytes`. */
export function sizeOf(attributes: readonly Attribute[]): number | undefined {
  const [[text = ''] = []] = valuesOf(attributes, 'SIZE');
  const [, digits] = /^(\d{1,15})(?: bytes)?$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** `LAST-MODIFIED`: `YYYYMMDDHHMMSSZ`. */
export function modifiedOf(attributes: readonly Attribute[]): Date | undefined {
  const [[text = ''] = []] = valuesOf(attributes, 'LAST-MODIFIED');
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!parts) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1) as [string, string, string, string, string, string];
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** As header fields: every attribute there is, in the server's order. */
export function headersOf(attributes: readonly Attribute[]): [name: string, value: string][] {
  return attributes.map(({ name, words }) => [name, words.join(' ')]);
}
