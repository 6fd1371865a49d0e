/** What a row of the table of options looks like. */
import type { Settings } from '../settings.ts';

export type OptionGroup = 'output' | 'request' | 'http' | 'ftp' | 'security' | 'limits' | 'messages' | 'commands';

interface OptionText {
  readonly long: string;
  readonly short?: string;
  readonly group: OptionGroup;
  /** One line for `--help`; an option without it is accepted but not advertised. */
  readonly help?: string;
}

/** An option without a value; `--no-NAME` sets it to false. */
export interface Flag extends OptionText {
  readonly set: (settings: Settings, on: boolean) => void;
}

/** An option with a value. */
export interface Valued extends OptionText {
  /** What stands for the value in `--help`. */
  readonly value: string;
  /** @param readMore - Reads the options in a file as if they stood here. */
  readonly take: (settings: Settings, value: string, readMore: (file: string) => void) => void;
}

export type Option = Flag | Valued;

/** An option of curl's that asks for what is done anyway. */
export const granted = (long: string, short?: string): Option => ({
  long,
  ...(short !== undefined && { short }),
  group: 'request',
  set: () => undefined,
});
