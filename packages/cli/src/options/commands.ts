/** For single commands. */
import type { Option } from './option.ts';

export const commandOptions: readonly Option[] = [
  {
    long: 'strict',
    group: 'commands',
    help: 'parse: refuse what RFC 1738 does not allow',
    set: (settings, on) => void (settings.strict = on),
  },
  {
    long: 'show-password',
    group: 'commands',
    help: 'parse: show the password',
    set: (settings, on) => void (settings.showPassword = on),
  },
];
