/** The octets of the protocol: commands of RFC 854, options of the IANA registry that servers ask for. */

/** "Interpret as command": begins every command; as data it is doubled (RFC 854, "TELNET command structure"). */
export const IAC = 255;
export const DONT = 254;
export const DO = 253;
export const WONT = 252;
export const WILL = 251;
/** Begins a subnegotiation, which {@link SE} ends (RFC 855). */
export const SB = 250;
export const SE = 240;

/** Commands that stand alone, RFC 854. */
const commands: Readonly<Record<number, string>> = {
  236: 'EOF',
  237: 'SUSP',
  238: 'ABORT',
  239: 'EOR',
  240: 'SE',
  241: 'NOP',
  242: 'DM',
  243: 'BRK',
  244: 'IP',
  245: 'AO',
  246: 'AYT',
  247: 'EC',
  248: 'EL',
  249: 'GA',
};

export type Verb = typeof WILL | typeof WONT | typeof DO | typeof DONT;

const verbs: Readonly<Record<Verb, string>> = { [WILL]: 'WILL', [WONT]: 'WONT', [DO]: 'DO', [DONT]: 'DONT' };

/** RFC 856. */
export const BINARY = 0;
/** RFC 857. */
export const ECHO = 1;
/** Suppress go-ahead, RFC 858. */
export const SGA = 3;
/** Terminal type, RFC 1091. */
export const TTYPE = 24;
/** Negotiate about window size, RFC 1073. */
export const NAWS = 31;

const options: Readonly<Record<number, string>> = {
  [BINARY]: 'BINARY',
  [ECHO]: 'ECHO',
  [SGA]: 'SGA',
  5: 'STATUS',
  6: 'TM',
  [TTYPE]: 'TTYPE',
  25: 'EOR',
  [NAWS]: 'NAWS',
  32: 'TSPEED',
  33: 'LFLOW',
  34: 'LINEMODE',
  35: 'XDISPLOC',
  36: 'OLD-ENVIRON',
  37: 'AUTH',
  38: 'ENCRYPT',
  39: 'NEW-ENVIRON',
  42: 'CHARSET',
};

/** A command's name, `AYT`; an unknown one's number. */
export function commandName(code: number): string {
  return commands[code] ?? String(code);
}

/** `WILL ECHO`, for traces. */
export function requestName(verb: Verb, option: number): string {
  return `${verbs[verb]} ${optionName(option)}`;
}

/** An option's name; a less common one's number. */
export function optionName(option: number): string {
  return options[option] ?? String(option);
}
