/** Asking for an article before its turn (RFC 3977 §3.5): behind the one that another retrieval is still reading. */
import { latin1Of, type Access } from '@retriever/driver';
import type { Ahead, Command } from './connection.ts';
import { groupStep, type Step } from './converse.ts';
import type { NewsSession } from './session.ts';

export class AskedAhead {
  readonly #command: Command;
  readonly #group: Uint8Array | undefined;
  readonly #report: Access['report'];
  #asked: { readonly session: NewsSession; readonly steps: readonly Step[]; readonly ahead: Ahead } | undefined;

  /**
   * @param command What asks for the article.
   * @param group The newsgroup that must be selected for it, if one must.
   */
  constructor(command: Command, group: Uint8Array | undefined, report: Access['report']) {
    this.#command = command;
    this.#group = group;
    this.#report = report;
  }

  /** Sends the commands; returns what withdraws them. */
  send(session: NewsSession): () => void {
    const group = this.#group && latin1Of(this.#group);
    const selected = session.connection.owed ? session.groupAhead : session.group;
    const steps =
      this.#group && group !== selected ? [groupStep(session, this.#group), this.#command] : [this.#command];
    session.groupAhead = group ?? selected;
    const ahead = session.connection.sendAhead(steps, this.#report);
    this.#asked = { session, steps, ahead };
    return () => void (ahead.state = 'lost');
  }

  /** The steps whose answers are the next ones on this session; undefined where nothing was sent that still counts. */
  async take(session: NewsSession): Promise<readonly Step[] | undefined> {
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked?.session !== session || asked.ahead.state === 'lost') return undefined;
    await session.connection.reach(asked.ahead);
    // Where the group was to be selected by somebody else and is not, this may be another group's article.
    const inGroup = !this.#group || asked.steps.length > 1 || session.group === latin1Of(this.#group);
    asked.ahead.state = inGroup ? 'taken' : 'lost';
    return inGroup ? asked.steps : undefined;
  }
}
