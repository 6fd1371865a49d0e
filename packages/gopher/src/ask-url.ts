/** The URL of an item with its form filled in, RFC 1738 §3.4.9. */
import { build, decodeText, parse } from '@retriever/url';
import { askBlock, type AskAnswer } from './ask-block.ts';

/**
 * Makes the URL that submits answers to a form: one answer for each question, in the form's order, notes left out.
 *
 * A string answers `Ask`, `AskP` and, with the words of the choice, `Choose`; a boolean a `Select`; an array of lines an
 * `AskL`. A driver made with `allowAskBlock` sends it. The answers are part of the URL, passwords too: do not show it.
 *
 * @param url The item's URL, with or without a Gopher+ string; a search is kept.
 * @param view The representation wanted of the result, as in +VIEWS. Default: the server's.
 * @throws TypeError when the URL is not gopher's or an answer holds a line end. UrlSyntaxError when it is no URL.
 * @example
 * askUrl('gopher://h/0/form%09%09?', ['Alice', true]);
 * // 'gopher://h/0/form%09%09+%091%0D%0A+-1%0D%0AAlice%0D%0A1%0D%0A.%0D%0A'
 */
export function askUrl(url: string, answers: readonly AskAnswer[], view = ''): string {
  const item = parse(url);
  if (item.grammar !== 'gopher') throw new TypeError('only items of gopher have forms');
  if (!/^[ -~]*$/.test(view)) throw new TypeError('a view is one line of US-ASCII');
  return build
    .gopher({
      scheme: item.scheme,
      host: item.host,
      ...(item.port !== undefined && { port: item.port }),
      gophertype: item.gophertype === undefined ? '1' : decodeText(item.gophertype),
      selector: item.octets.selector,
      search: item.octets.search ?? '',
      gopherPlus: askBlock(answers, view),
    })
    .toString();
}
