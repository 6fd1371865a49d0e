/** The form of an item, its +ASK attribute (Gopher+ 1993, §2.8): questions for a person, one a line. */

/**
 * A question, in the form's order.
 *
 * `Ask` one line · `AskP` a password · `AskL` several lines · `AskF` a name for the file that the answer is saved as ·
 * `ChooseF` the name of a file of the person's own, whose content is to be sent · `Choose` one of the choices · `Select` yes
 * or no, or any of the choices · `Note` words for people, not answered · `Other` a directive that is none of these.
 */
export type AskQuestion = AskLine | AskChoose | AskSelect | AskNote | AskOther;

export interface AskLine {
  readonly type: 'Ask' | 'AskP' | 'AskL' | 'AskF' | 'ChooseF';
  readonly prompt: string;
  /** What is there before the person writes. */
  readonly default?: string;
}

export interface AskChoose {
  readonly type: 'Choose';
  readonly prompt: string;
  readonly choices: readonly string[];
}

export interface AskSelect {
  readonly type: 'Select';
  readonly prompt: string;
  /** Whether it is ticked before the person does anything. */
  readonly default?: boolean;
  /** Empty for a single box. */
  readonly choices: readonly string[];
}

export interface AskNote {
  readonly type: 'Note';
  readonly prompt: string;
}

export interface AskOther {
  readonly type: 'Other';
  /** The word before the colon; empty where there is none. */
  readonly directive: string;
  readonly prompt: string;
}

/** The questions of a form. */
export interface AskForm {
  readonly questions: readonly AskQuestion[];
}

/**
 * Reads a form: the lines of a +ASK attribute, as `entry.facts.ask` has them.
 *
 * @example
 * parseAsk('Ask: Your name?\tNobody\nChoose: Colour?\tred\tgreen').questions[1];
 * // { type: 'Choose', prompt: 'Colour?', choices: ['red', 'green'] }
 */
export function parseAsk(text: string): AskForm {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return { questions: lines.map((line) => question(line)) };
}

const directives = new Map(
  (['Ask', 'AskP', 'AskL', 'AskF', 'ChooseF', 'Choose', 'Select', 'Note'] as const).map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

function question(line: string): AskQuestion {
  const [, directive = '', rest = line] = /^\s*([A-Za-z]+):[ ]?(.*)$/.exec(line) ?? [];
  const [prompt = '', ...fields] = rest.split('\t');
  const type = directives.get(directive.toLowerCase());
  switch (type) {
    case undefined:
      return { type: 'Other', directive, prompt: rest.trim() };
    case 'Note':
      return { type, prompt: rest };
    case 'Choose':
      return { type, prompt, choices: fields };
    case 'Select':
      return select(prompt, fields);
    default:
      return { type, prompt, ...(fields[0] !== undefined && { default: fields[0] }) };
  }
}

/** The state of a single box stands in a field of its own, or after a colon: `Sure?:1`. */
function select(prompt: string, fields: readonly string[]): AskSelect {
  const type = 'Select';
  const [first] = fields;
  if (fields.length === 1 && (first === '0' || first === '1'))
    return { type, prompt, default: first === '1', choices: [] };
  const [, words, state] = /^(.*):([01])$/.exec(prompt) ?? [];
  if (words === undefined) return { type, prompt, choices: fields };
  return { type, prompt: words, default: state === '1', choices: fields };
}
