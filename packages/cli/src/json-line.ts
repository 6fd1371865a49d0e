/** A line of JSON that is harmless to a terminal too: JSON itself escapes C0 controls only. */

// oxlint-disable-next-line no-control-regex -- these are what it is about
const harmful = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value);
  return `${text.replaceAll(harmful, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
