/** What goes wrong beneath: threads that die, files with two owners, a warehouse that contradicts itself, a log that fills the cap. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SpoolWriteError } from '../errors.ts';
import type { Spool } from '../spool.ts';
import { entry, packGroup, RecordingSink, row, type TestSpool, testSpool } from '../testing.ts';
import type { Batch } from '../types.ts';
import { SpoolFile } from './file.ts';
import { append, commit, stage } from './intake.ts';
import { tidy } from './upkeep.ts';

const fast = { gatherMs: 1, backoffMs: { first: 5, longest: 20 } };
const digest = { scope: 'key', hex: 'abc' };
const tallyOf = (received: number) => ({
  endpoint: 'edge_logpush' as const,
  received,
  dropped: {},
  rejected: {},
  quarantine: [],
});
const many = (count: number, text = '') =>
  Array.from({ length: count }, (_, n) => row(n, { line: JSON.stringify({ n, text }) }));

let place: TestSpool;
let spool: Spool;
/** The thread that was spoken to last. */
let thread: Worker;

beforeEach(async () => {
  place = testSpool();
  const post = Worker.prototype.postMessage;
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, ...args) {
    thread = this;
    return Reflect.apply(post, this, args);
  });
  spool = await place.open();
});
afterEach(async () => {
  await spool.close();
  vi.restoreAllMocks();
  place.dispose();
});
const untilAccepting = () =>
  vi.waitFor(() => expect(spool.accepting()).toBe(true), { timeout: 10_000, interval: 20 });

describe('a thread that dies', () => {
  it('loses no acknowledged row, refuses the rest, and is replaced by exactly one', async () => {
    await spool.append(entry([row('first')]));
    const appends = Array.from({ length: 300 }, async (_, n) => {
      await sleep(n / 10);
      return spool.append(entry([row(n)]));
    });
    await sleep(10);
    await thread.terminate();
    const outcomes = await Promise.allSettled(appends);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(SpoolWriteError);
    expect(spool.accepting()).toBe(false);
    await untilAccepting();
    await spool.append(entry([row('last')]));
    const sink = new RecordingSink();
    const shipper = spool.startShipper(sink, fast);
    expect(await shipper.drain(10_000)).toBe(true);
    await shipper.stop();
    const stored = sink.stored();
    expect(new Set(stored).size).toBe(stored.length);
    const acknowledged = outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
    expect(stored).toEqual(expect.arrayContaining(['first', ...acknowledged, 'last']));
  });

  it('takes its uploads along: they are refused, not acknowledged without their rows', async () => {
    const read = spool.openUpload('edge_logpush');
    await read.stage(many(1_024));
    const reading = spool.openUpload('edge_logpush');
    await reading.stage(many(1_024));
    await thread.terminate();
    await untilAccepting();
    await expect(reading.stage(many(1_024))).rejects.toThrow(SpoolWriteError);
    await expect(read.commit(tallyOf(1_024), digest)).rejects.toThrow(SpoolWriteError);
    expect(spool.stats().pendingRows).toBe(0);
    const again = spool.openUpload('edge_logpush');
    await again.stage(many(1_000));
    expect(await again.commit(tallyOf(1_000), digest)).toMatchObject({ kept: 1_000, duplicate: 0 });
  });

  it('under an insert leaves a batch that is settled without a restart', async () => {
    const sink = new RecordingSink();
    const insert = sink.insert.bind(sink);
    sink.insert = async (batch: Batch) => {
      await insert(batch);
      if (sink.inserts === 1) await thread.terminate();
    };
    await spool.append(entry(many(10)));
    const shipper = spool.startShipper(sink, fast);
    await vi.waitFor(() => expect(spool.stats().counters.stored).toBe(10), { timeout: 10_000 });
    expect(await shipper.drain(5_000)).toBe(true);
    await shipper.stop();
    expect(sink.inserts).toBe(1);
  });
});

describe('two owners', () => {
  it('of one file: the second is refused and the first loses nothing', async () => {
    const upload = spool.openUpload('edge_logpush');
    await upload.stage(many(1_000));
    await expect(place.open()).rejects.toThrow(/locked/);
    expect(await upload.commit(tallyOf(1_000), digest)).toMatchObject({ kept: 1_000, duplicate: 0 });
    await spool.append(entry([row(1)]));
    expect(spool.stats().pendingRows).toBe(1_001);
  });
});

describe('the cap', () => {
  it('is not held shut by the log: plain shipping opens intake again', async () => {
    await spool.close();
    spool = await place.open({ maxBytes: 4 * 1024 * 1024 });
    while (spool.accepting()) await spool.append(entry(many(100, 'x'.repeat(1_000))));
    const shipper = spool.startShipper(new RecordingSink(), fast);
    await untilAccepting();
    await shipper.stop();
  });
});

describe('the disk', () => {
  it('answers a full disk with an error, takes nothing, and recovers', async () => {
    await spool.close();
    spool = await place.open({ maxPages: 300 });
    const big = () =>
      spool.append(entry([row(1, { line: JSON.stringify({ n: 1, x: 'x'.repeat(200_000) }) })]));
    let kept = 0;
    await expect(
      (async () => {
        for (let i = 0; i < 50; i += 1) {
          await big();
          kept += 1;
        }
      })(),
    ).rejects.toThrow(/could not write/);
    expect(spool.accepting()).toBe(false);
    expect(spool.stats().failing).toMatch(/full/);
    expect(spool.stats().counters.received.get('edge_worker')).toBe(kept);
    const sink = new RecordingSink();
    const shipper = spool.startShipper(sink, fast);
    expect(await shipper.drain(10_000)).toBe(true);
    await shipper.stop();
    expect(sink.stored()).toHaveLength(kept);
    await vi.waitFor(() => expect(spool.accepting()).toBe(true), { timeout: 5_000 });
    await big();
  });

  it('gives the log’s space back after a drain', async () => {
    await spool.append(
      entry(
        Array.from({ length: 1_000 }, (_, n) =>
          row(n, { line: JSON.stringify({ n, x: 'x'.repeat(2_000) }) }),
        ),
      ),
    );
    const shipper = spool.startShipper(new RecordingSink(), fast);
    expect(await shipper.drain(10_000)).toBe(true);
    await shipper.stop();
    const wal = join(place.directory, 'hits.spool-wal');
    expect(existsSync(wal) ? statSync(wal).size : 0).toBeLessThan(100_000);
  });
});

describe('a commit', () => {
  it('is refused when staged rows are gone, whatever took them', () => {
    const file = new SpoolFile(`${place.directory}/staged.spool`, {
      maxBytes: 1e9,
      maxPages: undefined,
      durable: true,
    });
    const { rows, counters } = packGroup([entry(many(10))]);
    stage(file, { upload: 1, rows, at: 1 });
    file.statement('DELETE FROM chunks').run();
    const message = {
      ...digest,
      upload: 1,
      endpoint: 'edge_logpush',
      received: 10,
      rows: 10,
      counters,
      quarantine: [],
      at: 2,
    };
    expect(() => commit(file, message)).toThrow(/0 of 10 staged rows/);
    expect(file.counters()).toEqual([['commits', 1]]);
    file.close();
  });
});

describe('tidying', () => {
  it('reaches every key in one round, and only those that are old enough', () => {
    const file = new SpoolFile(`${place.directory}/tidy.spool`, {
      maxBytes: 1e9,
      maxPages: undefined,
      durable: true,
    });
    const now = 1_800_000_000_000;
    const keyed = (prefix: string, at: number) => {
      const rows = Array.from({ length: 500 }, (_, n) => row(n, { dedupKey: `${prefix}${n}` }));
      append(file, { ...packGroup([entry(rows)]), at });
    };
    keyed('old', now - 48 * 3_600_000);
    keyed('new', now - 48 * 3_600_000 + 1);
    for (let slice = 0; slice < 4_096; slice += 1) tidy(file, now, 48 * 3_600_000);
    expect(file.statement('SELECT count(*) AS n FROM seen').get()).toMatchObject({ n: 500 });
    file.close();
  });
});

describe('a spool file of another version', () => {
  it('is refused with the way out, and is not touched', async () => {
    const place = testSpool();
    const spool = await place.open();
    await spool.append(entry([row(1)]));
    await spool.close();
    const path = join(place.directory, 'hits.spool');
    const db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 99');
    db.close();
    await expect(place.open()).rejects.toThrow(/has format 99.*Drain it/);
    const again = new DatabaseSync(path);
    expect(again.prepare('SELECT count(*) AS chunks FROM chunks').get()).toEqual({ chunks: 1 });
    again.close();
    place.dispose();
  });

  it('never comes of a first start that was killed: tables and version appear together', async () => {
    const place = testSpool();
    const path = join(place.directory, 'hits.spool');
    // What a kill before the commit leaves: a file in WAL mode without a table.
    const killed = new DatabaseSync(path);
    killed.exec(
      'PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE; CREATE TABLE chunks (id INTEGER)',
    );
    killed.close();
    const spool = await place.open();
    expect(await spool.append(entry([row(1)]))).toEqual({ kept: 1, duplicate: 0 });
    await spool.close();
    place.dispose();
  });
});
