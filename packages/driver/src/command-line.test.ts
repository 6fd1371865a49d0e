import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ascii, commandLine, requireOneLine } from './command-line.ts';
import { latin1Of } from './octet-text.ts';

test('octets go on the line as they are, text as ASCII, CR LF behind', () => {
  expect(latin1Of(commandLine('CWD ', Uint8Array.of(0x63, 0xe9, 0xff)))).toBe('CWD c\xe9\xff\r\n');
  expect(latin1Of(commandLine())).toBe('\r\n');
});

test.each([0x00, 0x0a, 0x0d])('octet %i is refused, wherever it stands (RFC 1738 §6)', (octet) => {
  for (const octets of [[octet], [65, octet], [octet, 65], [65, octet, 66]]) {
    expect(() => commandLine('CWD ', Uint8Array.from(octets))).toThrow(expect.objectContaining({ code: 'policy' }));
  }
  expect(() => commandLine(`CWD ${String.fromCharCode(octet)}`)).toThrow(expect.objectContaining({ code: 'policy' }));
});

test('characters that a latin1 socket would fold to CR and LF are refused', () => {
  expect(() => commandLine('CWD \u010d\u010a')).toThrow(TypeError);
  expect(() => ascii('é')).toThrow(TypeError);
  expect(() => ascii('😀')).toThrow(TypeError);
});

test('the refusal names what it is and keeps the octets to itself', () => {
  expect(() => requireOneLine(Buffer.from('secret\r\n'), 'the password')).toThrow(/^the password holds CR/);
  expect(() => requireOneLine(Buffer.from('secret\r\n'), 'the password')).not.toThrow(/secret/);
});

test('what passes is one line, whatever it is made of', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 12 })), (parts) => {
      let line: Uint8Array;
      try {
        line = commandLine(...parts);
      } catch {
        return;
      }
      expect(latin1Of(line).slice(0, -2)).toBe(parts.map(latin1Of).join(''));
      expect(latin1Of(line)).toMatch(/^[^\0\r\n]*\r\n$/);
    }),
  );
});
