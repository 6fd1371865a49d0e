/** Several transfers write at once what shall come out as if they had written one after the other. */
import { BlockFile } from './block-file.ts';
import { HeldOctets } from './held-octets.ts';

/** Where octets go. A chunk is the outlet's until the promise settles. */
export interface Outlet {
  readonly isTerminal: boolean;
  write(chunk: Uint8Array): void | Promise<void>;
}

/** Hands out lanes into one outlet; what is written into the first comes out first. */
export class InOrder {
  readonly #outlet: Outlet;
  readonly #file = new BlockFile();
  #latest: Lane | undefined;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  lane(): Lane {
    return (this.#latest = new Lane(this.#outlet, this.#file, this.#latest));
  }
}

/** One transfer's way to the outlet: straight when all lanes before it have ended, held back until then. */
export class Lane implements Outlet {
  readonly isTerminal: boolean;
  readonly #outlet: Outlet;
  readonly #held: HeldOctets;
  readonly #ended = Promise.withResolvers<void>();
  /** Settles when the lane has its turn and what it held back is out. */
  #turn: Promise<void> | undefined;
  #state: 'waiting' | 'letting out' | 'straight' = 'waiting';
  #over = false;

  constructor(outlet: Outlet, file: BlockFile, before: Lane | undefined) {
    this.#outlet = outlet;
    this.#held = new HeldOctets(file);
    this.isTerminal = outlet.isTerminal;
    if (!before || before.over) this.#state = 'straight';
    else {
      this.#turn = before.finished().then(() => this.#letOut());
      this.#turn.catch(() => undefined);
    }
  }

  /** Whether everything is out and nothing more comes. */
  get over(): boolean {
    return this.#over;
  }

  /** Whether anything is here that came and did not get out. */
  get holdsBack(): boolean {
    return this.#state === 'letting out' || !this.#held.isEmpty;
  }

  write(chunk: Uint8Array): void | Promise<void> {
    if (this.#state === 'straight') return this.#outlet.write(chunk);
    this.#held.add(chunk);
    // Nothing waits for another transfer, which may need this one's connection; but from its turn on a lane is as fast as its outlet.
    return this.#state === 'letting out' ? this.#turn : undefined;
  }

  /** Nothing more comes. Resolves when all of it is out. @throws Failure 23 when what was held back cannot be written. */
  async end(): Promise<void> {
    this.#ended.resolve();
    try {
      await this.#turn;
    } finally {
      this.#over = true;
    }
  }

  /** Nothing more comes, and what is held back shall not come out either. */
  drop(): void {
    this.#held.close();
    void this.end().catch(() => undefined);
  }

  /** Settles when the next lane has its turn, however this one ended. */
  async finished(): Promise<void> {
    await this.#ended.promise;
    await this.#turn?.catch(() => undefined);
  }

  async #letOut(): Promise<void> {
    this.#state = 'letting out';
    try {
      for (let octets = this.#held.take(); octets; octets = this.#held.take()) await this.#outlet.write(octets);
    } finally {
      this.#state = 'straight';
      this.#held.close();
    }
  }
}
