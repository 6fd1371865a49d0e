export { telnet, type TelnetOptions, type TelnetService } from './telnet.ts';
export { TelnetStream, type TelnetStreamOptions } from './telnet-stream.ts';
