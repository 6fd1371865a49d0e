/** One line for all transfers that run at once. */
import type { Meter } from './meter.ts';

/** What one transfer tells of its body. */
export interface Gauge {
  /** @param alreadyThere - Octets of an earlier attempt that need not come again. */
  begin(label: string, size: number | undefined, alreadyThere: number): void;
  advance(octets: number): void;
  end(whole: boolean): void;
}

export class SharedMeter {
  readonly #meter: Meter;
  readonly #transfers: number;
  #begun = 0;
  #done = 0;
  #failed = 0;
  /** Octets of all bodies begun; undefined where one does not tell. */
  #size: number | undefined = 0;

  constructor(meter: Meter, transfers: number) {
    this.#meter = meter;
    this.#transfers = transfers;
  }

  begin(): void {
    this.#meter.begin(this.#label(), undefined, 0);
  }

  gauge(): Gauge {
    let begun = false;
    return {
      begin: (_label, size) => {
        // Another attempt brings what is known of already.
        if (begun) return;
        begun = true;
        this.#begun += 1;
        this.#size = this.#size === undefined || size === undefined ? undefined : this.#size + size;
        this.#tell();
      },
      advance: (octets) => this.#meter.advance(octets),
      end: () => undefined,
    };
  }

  /** A transfer is over. */
  done(well: boolean): void {
    this.#done += 1;
    if (!well) this.#failed += 1;
    this.#tell();
  }

  /** No transfer is left. */
  end(): void {
    this.#meter.end(true);
  }

  /** How much there is in all is known when the last has begun. */
  #tell(): void {
    this.#meter.change(this.#label(), this.#begun < this.#transfers ? undefined : this.#size);
  }

  #label(): string {
    const failed = this.#failed === 0 ? '' : `, ${this.#failed} failed`;
    return `${this.#done} of ${this.#transfers} done${failed}`;
  }
}
