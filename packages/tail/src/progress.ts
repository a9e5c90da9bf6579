/** How far a long reading has come: on a terminal one line that is written over, elsewhere a line now and then. */
import { statSync } from 'node:fs';
import { bytesOf, duration, number } from './messages.ts';
import type { Surroundings } from './surroundings.ts';

const TERMINAL_MS = 200;
const LOG_MS = 30_000;

export class Progress {
  readonly #word: string;
  readonly #around: Surroundings;
  readonly #total: number;
  readonly #began: number;
  #bytes = 0;
  #lines = 0;
  #told: number;
  #isOpen = false;

  constructor(word: string, files: readonly string[], around: Surroundings) {
    this.#word = word;
    this.#around = around;
    this.#total = files.reduce(
      (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
    this.#began = around.now();
    this.#told = this.#began;
  }

  begin(file: string, format: string): void {
    this.#line(`${file}: ${format}`);
  }

  add(bytes: number): void {
    this.#bytes += bytes;
  }

  lines(count: number): void {
    this.#lines = count;
    const now = this.#around.now();
    if (now - this.#told < (this.#around.isTerminal ? TERMINAL_MS : LOG_MS)) return;
    this.#told = now;
    this.#isOpen = this.#around.isTerminal;
    this.#around.error(this.#isOpen ? `\r\x1b[K${this.#text(now)}` : `${this.#text(now)}\n`);
  }

  end(): void {
    if (this.#isOpen) this.#around.error('\r\x1b[K');
    this.#isOpen = false;
  }

  #line(text: string): void {
    this.end();
    this.#around.error(`${text}\n`);
  }

  #text(now: number): string {
    const ms = Math.max(1, now - this.#began);
    const total = Math.max(1, this.#total);
    const left = this.#bytes === 0 ? '' : `, ${duration(((total - this.#bytes) * ms) / this.#bytes)} left`;
    const share = Math.min(100, Math.floor((this.#bytes / total) * 100));
    const rate = number(Math.round((this.#lines * 1000) / ms));
    return `${this.#word}: ${share}%, ${bytesOf(this.#bytes)} of ${bytesOf(total)}, ${number(this.#lines)} lines, ${rate} lines/s${left}`;
  }
}
