/** Header fields, RFC 9110 §5: looked up whatever their case, kept as they came. */

export type Fields = readonly (readonly [name: string, value: string])[];

/** The value of a field; several lines of it joined by a comma (RFC 9110 §5.3). Undefined when it is absent. */
export function field(fields: Fields, name: string): string | undefined {
  const values = fields.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value.trim());
  return values.length === 0 ? undefined : values.join(', ');
}

/** The items of a comma-separated list without quoted strings, lower case (RFC 9110 §5.6.1). */
export function listed(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== '');
}

/** A parameter of a field value, quoted or not (RFC 9110 §5.6.6): `charset` of `text/html; charset="utf-8"`. */
export function parameter(value: string, name: string): string | undefined {
  // An unclosed string counts to the end, so that no hostile value makes this slow.
  const pattern = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:\\.|[^"\\])*)(?:"|\\?$)|([^;"]*))/g;
  for (const [, key, quoted, plain] of value.matchAll(pattern)) {
    if (key?.toLowerCase() === name) return quoted === undefined ? plain?.trim() : quoted.replace(/\\(.)/g, '$1');
  }
  return undefined;
}
