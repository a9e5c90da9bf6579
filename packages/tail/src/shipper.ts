/** Collects visits into batches, and keeps on disk how far they have come: first the batch and the position after it, then that it was taken. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { MAX_COUNTED } from '@ghostlight/core';
import type { Counters, ServiceReport } from './counters.ts';
import type { LineIds } from './line-ids.ts';
import type { Others } from './others.ts';
import { TooLarge } from './sender.ts';
import type { Position, Progress, State, StateFile } from './state.ts';
import type { Visit } from './visit.ts';

const MAX_BATCH_BYTES = 512 * 1024;

export interface ShipperParts {
  /** Throws as the sender does. `body`: gzip; `visits`: how many it holds. */
  readonly sender: { post(body: Buffer, visits: number): Promise<ServiceReport> };
  /** Null: no position is kept. */
  readonly stateFile: Pick<StateFile, 'save'> | null;
  readonly ids: LineIds;
  readonly others: Others;
  readonly counters: Counters;
  readonly say: (sentence: string) => void;
}

export class Shipper {
  readonly #parts: ShipperParts;
  #lines: string[] = [];
  #bytes = 0;
  #saved = '';

  constructor(parts: ShipperParts) {
    this.#parts = parts;
  }

  add(visit: Visit): void {
    const line = JSON.stringify(visit);
    this.#lines.push(line);
    this.#bytes += line.length + 1;
  }

  get waiting(): number {
    return this.#lines.length;
  }

  get isFull(): boolean {
    return this.#bytes >= MAX_BATCH_BYTES || this.#parts.others.size >= MAX_COUNTED;
  }

  /** What an earlier run was sending when it ended. */
  async resume({ pending }: State): Promise<Progress | null> {
    if (pending === null) return null;
    await this.#post(gunzipSync(Buffer.from(pending.body, 'base64')).toString().split('\n').slice(0, -1));
    this.#keep(pending.then);
    return pending.then;
  }

  /** @param positions after the last line that was added @throws as the sender does */
  async ship(positions: readonly Position[]): Promise<void> {
    const { others, ids, stateFile } = this.#parts;
    const visits = this.#lines.length;
    const counted = others.take().map((hour) => JSON.stringify({ counted: hour }));
    const lines = [...this.#lines, ...counted];
    this.#lines = [];
    this.#bytes = 0;
    const then: Progress = { positions, counts: ids.counts(), open: others.open() };
    if (lines.length > 0) {
      if (stateFile !== null) {
        const body = gzipSync(`${lines.join('\n')}\n`).toString('base64');
        stateFile.save({ version: 1, positions: [], counts: [], pending: { body, visits, then } });
      }
      await this.#post(lines);
    }
    this.#keep(then);
  }

  #keep(progress: Progress): void {
    const { stateFile } = this.#parts;
    if (stateFile === null) return;
    const state: State = { version: 1, ...progress, pending: null };
    const text = JSON.stringify(state);
    if (text === this.#saved) return;
    stateFile.save(state);
    this.#saved = text;
  }

  /** A batch that is too large goes in halves, the same ones each time. */
  async #post(lines: readonly string[]): Promise<void> {
    const { sender, counters, say } = this.#parts;
    const visits = lines.filter((line) => !line.startsWith('{"counted":')).length;
    try {
      const report = await sender.post(gzipSync(`${lines.join('\n')}\n`), visits);
      // Numbers are no visits, and are not kept as such.
      const dropped = Math.max(0, report.dropped - (lines.length - visits));
      counters.report({ ...report, dropped });
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      if (lines.length === 1) {
        say('The service takes no line as long as one of the log; it was left out.');
        counters.reject('too_long');
        return;
      }
      const half = Math.ceil(lines.length / 2);
      await this.#post(lines.slice(0, half));
      await this.#post(lines.slice(half));
    }
  }
}
