/** `mailto:`: an address; nothing is sent (RFC 1738 §3.5). */
import type { OpenStage, Stage } from './stage.ts';

const scenes: OpenStage['scenes'] = ({ mailto }) => [{ title: 'a mail address', url: `${mailto}?subject=hello` }];

export const mailtoStage: Stage = {
  scheme: 'mailto',
  open: async () => ({ origin: 'mailto:uri@bunyip.example', scenes, close: () => undefined }),
};
