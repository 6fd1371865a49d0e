/** `telnet:`: an address of a service; nobody connects (RFC 1738 §3.8). */
import type { OpenStage, Stage } from './stage.ts';

const scenes: OpenStage['scenes'] = ({ telnet }) => [{ title: 'an interactive service', url: `${telnet}/` }];

export const telnetStage: Stage = {
  scheme: 'telnet',
  open: async () => ({ origin: 'telnet://guest@127.0.0.1:2323', scenes, close: () => undefined }),
};
