/** The progress meter: one line on a terminal, redrawn ten times a second at the most, gone or finished when it must be. */
import { performance } from 'node:perf_hooks';
import type { Messages } from './messages.ts';
import type { Gauge } from './shared-meter.ts';
import { lineForTerminal } from './terminal-text.ts';

const redrawMs = 100;
/** Nothing is shown of what is over sooner. */
const patienceMs = 300;
/** The rate is that of the latest seconds. */
const windowMs = 5000;

export type MeterStyle = 'line' | 'bar' | 'none';

/** What is known of a transfer under way. */
export interface Standing {
  readonly label: string;
  /** Octets there will be in all, if known. */
  readonly size: number | undefined;
  /** Octets there are, those of an earlier attempt included. */
  readonly octets: number;
  readonly octetsPerSecond: number;
  readonly elapsedSeconds: number;
  readonly done: boolean;
}

/** How many octets there were at a moment. */
interface Sample {
  readonly at: number;
  readonly octets: number;
}

export class Meter implements Gauge {
  readonly #messages: Messages;
  readonly #style: MeterStyle;
  #timer: NodeJS.Timeout | undefined;
  #drawn = false;
  /** How many others have the terminal. */
  #aside = 0;
  #label = '';
  #size: number | undefined;
  #octets = 0;
  #start: Sample = { at: 0, octets: 0 };
  /** Octets at moments of the latest seconds, oldest first. */
  #samples: Sample[] = [];

  constructor(messages: Messages, style: MeterStyle) {
    this.#messages = messages;
    this.#style = messages.isTerminal ? style : 'none';
    messages.beforeLine(() => this.#erase());
  }

  /** @param alreadyThere - Octets of an earlier attempt that need not come again. */
  begin(label: string, size: number | undefined, alreadyThere: number): void {
    if (this.#style === 'none') return;
    this.#label = label;
    this.#size = size === undefined ? undefined : size + alreadyThere;
    this.#octets = alreadyThere;
    this.#start = { at: performance.now(), octets: alreadyThere };
    this.#samples = [this.#start];
    this.#timer = setInterval(() => this.#redraw(), redrawMs).unref();
  }

  /** Leaves the terminal to somebody who asks a question there. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.#aside += 1;
    this.#erase();
    try {
      return await work();
    } finally {
      this.#aside -= 1;
    }
  }

  advance(octets: number): void {
    this.#octets += octets;
  }

  /** More is known by now. */
  change(label: string, size: number | undefined): void {
    this.#label = label;
    this.#size = size;
  }

  /** Leaves the finished line, or nothing where the transfer was too short to show or broke off. */
  end(whole: boolean): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (whole && this.#drawn) {
      this.#draw(true);
      this.#messages.raw('\n');
      this.#drawn = false;
    } else this.#erase();
  }

  #redraw(): void {
    const now = performance.now();
    if (now - this.#start.at < patienceMs || this.#aside > 0) return;
    this.#samples.push({ at: now, octets: this.#octets });
    while (this.#samples.length > 2 && now - this.#samples[0]!.at > windowMs) this.#samples.shift();
    this.#draw(false);
  }

  #draw(done: boolean): void {
    const now = performance.now();
    const since = done ? this.#start : this.#samples[0]!;
    const standing: Standing = {
      label: this.#label,
      size: this.#size,
      octets: this.#octets,
      octetsPerSecond: ((this.#octets - since.octets) * 1000) / Math.max(1, now - since.at),
      elapsedSeconds: (now - this.#start.at) / 1000,
      done,
    };
    // One column stays free: a full line makes some terminals go to the next.
    const text = meterLine(standing, this.#messages.columns - 1, this.#style === 'bar');
    this.#messages.raw(`\r${text}\u001b[K`);
    this.#drawn = true;
  }

  #erase(): void {
    if (this.#drawn) this.#messages.raw('\r\u001b[K');
    this.#drawn = false;
  }
}

/** The meter's line, never longer than `columns`; what matters least goes first when there is no room. */
export function meterLine(standing: Standing, columns: number, bar: boolean): string {
  const { size, octets, octetsPerSecond, done, elapsedSeconds } = standing;
  const part = size ? Math.min(1, octets / size) : undefined;
  const percent = part === undefined ? undefined : `${Math.floor(part * 100)}%`.padStart(4);
  const amount = size === undefined || done ? shortOctets(octets) : `${shortOctets(octets)} of ${shortOctets(size)}`;
  const rate = `${shortOctets(octetsPerSecond)}/s`;
  const clock = done ? `in ${duration(elapsedSeconds)}` : remaining(standing);
  const numbers = fitting([percent, amount, rate, clock], columns);
  const room = columns - numbers.length - 2;
  if (bar && part !== undefined && room >= 10) {
    const full = Math.round(part * (room - 2));
    return `[${'#'.repeat(full)}${' '.repeat(room - 2 - full)}]  ${numbers}`;
  }
  const label = lineForTerminal(standing.label);
  if (room < 4 || label === '') return numbers;
  return `${label.length <= room ? label : `${label.slice(0, room - 3)}...`}  ${numbers}`;
}

function remaining({ size, octets, octetsPerSecond }: Standing): string | undefined {
  if (size === undefined || octetsPerSecond <= 0) return undefined;
  return `${duration((size - octets) / octetsPerSecond)} left`;
}

/** As many of the parts as have room, from the first. */
function fitting(parts: readonly (string | undefined)[], columns: number): string {
  let line = '';
  for (const part of parts) {
    if (part === undefined) continue;
    const longer = line === '' ? part : `${line}  ${part}`;
    if (longer.length > columns) break;
    line = longer;
  }
  return line;
}

/** `999`, `1.2k`, `34M`: at most four characters and a unit of 1024. */
export function shortOctets(octets: number): string {
  let value = octets;
  let unit = 0;
  while (value >= 999.5 && unit < 5) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)}${['', 'k', 'M', 'G', 'T', 'P'][unit]}`;
}

export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (!Number.isFinite(whole) || whole >= 100 * 3600) return 'days';
  const two = (number: number): string => String(number).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes}:${two(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}
