/** `gopher:` and `gophers:` for Retriever. */
export { gopher, type GopherOptions } from './gopher.ts';
export { parseAttributes, type AttributeBlock, type GopherAttributes } from './attributes.ts';
export {
  parseAsk,
  type AskChoose,
  type AskForm,
  type AskLine,
  type AskNote,
  type AskOther,
  type AskQuestion,
  type AskSelect,
} from './ask-form.ts';
export { askUrl } from './ask-url.ts';
export type { AskAnswer } from './ask-block.ts';
export type { GopherView } from './gopher-plus.ts';
export type { MenuLine } from './menu-line.ts';
