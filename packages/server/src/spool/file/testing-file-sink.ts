/** A warehouse in a file, for processes that are killed: a batch is one write, so that it is there whole or not at all. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch, BatchSink } from '../types.ts';

interface StoredBatch {
  readonly id: string;
  readonly rows: readonly (string | number)[];
}

export class FileSink implements BatchSink {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async insert({ id, body }: Batch): Promise<void> {
    const lines = Buffer.from(body).toString('utf8').trimEnd().split('\n');
    const rows = lines.map((line) => (JSON.parse(line) as { n: string | number }).n);
    // Now and then the answer takes a while, so that kills fall between storing and hearing of it.
    if (Math.random() < 0.3) await sleep(Math.random() * 20);
    const file = openSync(this.#path, 'a');
    writeSync(file, `\n${JSON.stringify({ id, rows } satisfies StoredBatch)};`);
    fsyncSync(file);
    closeSync(file);
    if (Math.random() < 0.3) await sleep(Math.random() * 20);
    if (Math.random() < 0.05) throw new Error('the answer was lost');
  }

  async count({ id }: Pick<Batch, 'id'>): Promise<number> {
    return this.#batches()
      .filter((batch) => batch.id === id)
      .reduce((sum, { rows }) => sum + rows.length, 0);
  }

  stored(): (string | number)[] {
    return this.#batches().flatMap(({ rows }) => rows);
  }

  #batches(): StoredBatch[] {
    if (!existsSync(this.#path)) return [];
    const lines = readFileSync(this.#path, 'utf8').split('\n');
    return lines
      .filter((line) => line.endsWith(';'))
      .map((line) => JSON.parse(line.slice(0, -1)) as StoredBatch);
  }
}
