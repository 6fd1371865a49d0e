/**
 * The options, one row each: the row drives parsing, `--help` and the checks of both. They stand by the groups of `--help`.
 *
 * Spellings and meanings are curl's wherever curl has the option. A parser library is of no use here: `-o` and `-O` are
 * repeated, ordered and paired with URLs, short options stick together (`-sSLofile`), long ones may be shortened.
 */
import { outputOptions } from './options/output.ts';
import { requestOptions } from './options/request.ts';
import { httpOptions } from './options/http.ts';
import { ftpOptions } from './options/ftp.ts';
import { securityOptions } from './options/security.ts';
import { limitOptions } from './options/limits.ts';
import { messageOptions } from './options/messages.ts';
import { commandOptions } from './options/commands.ts';
import type { Option } from './options/option.ts';

export const options: readonly Option[] = [
  ...outputOptions,
  ...requestOptions,
  ...httpOptions,
  ...ftpOptions,
  ...securityOptions,
  ...limitOptions,
  ...messageOptions,
  ...commandOptions,
];
