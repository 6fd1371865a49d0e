/** Content negotiation for what is made here: RFC 9110 §12.5.1, as far as a choice of three needs it. */

/** The first of the types offered that the `Accept` field rates highest; the first of all when it rates none. */
export function preferredType<T extends string>(accept: string | null, offered: readonly [T, ...T[]]): T {
  let best: T = offered[0];
  let bestQuality = 0;
  for (const type of offered) {
    const quality = qualityOf(type, accept ?? '*/*');
    if (quality > bestQuality) [best, bestQuality] = [type, quality];
  }
  return best;
}

/** The quality of the most specific range that covers the type; 0 when none does. */
function qualityOf(type: string, accept: string): number {
  const ranges = [type, `${type.split('/')[0]}/*`, '*/*'];
  const rated = new Map<string, number>();
  for (const part of accept.toLowerCase().split(',')) {
    const [range, ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    rated.set(range!, weight ? Number(weight.slice(2)) || 0 : 1);
  }
  const covering = ranges.find((range) => rated.has(range));
  return covering === undefined ? 0 : rated.get(covering)!;
}
