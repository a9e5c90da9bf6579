/** What goes wrong beneath: threads that die, files with two owners, a warehouse that contradicts itself, a log that fills the cap. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SpoolWriteError } from '../errors.ts';
import { packGroup } from '../pack.ts';
import type { Spool } from '../spool.ts';
import { entry, RecordingSink, row, type TestSpool, testSpool } from '../testing.ts';
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
    expect(await again.commit(tallyOf(1_000), digest)).toEqual({ kept: 1_000, duplicate: 0 });
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
    expect(await upload.commit(tallyOf(1_000), digest)).toEqual({ kept: 1_000, duplicate: 0 });
    await spool.append(entry([row(1)]));
    expect(spool.stats().pendingRows).toBe(1_001);
  });
});

describe('the shipper', () => {
  it('passes over a batch that is stored in part, neither doubling nor forgetting it', async () => {
    const sink = new RecordingSink();
    const insert = sink.insert.bind(sink);
    let tornId = '';
    sink.insert = async (batch: Batch) => {
      await insert(batch);
      if (tornId !== '') return;
      tornId = batch.id;
      sink.batches.get(batch.id)?.pop();
      throw new Error('the connection broke');
    };
    await spool.append(entry([row(1), row(2)]));
    const shipper = spool.startShipper(sink, { ...fast, askAgainMs: 300 });
    await vi.waitFor(() => expect(shipper.state().parked).toBe(1));
    await spool.append(entry([row(3)]));
    await vi.waitFor(() => expect(sink.stored()).toContain(3));
    expect(await shipper.drain(50)).toBe(false);
    expect(spool.stats()).toMatchObject({ pendingRows: 2, counters: { stored: 1 } });
    sink.batches.get(tornId)?.push(row(2).line);
    expect(await shipper.drain(5_000)).toBe(true);
    await shipper.stop();
    expect(sink.inserts).toBe(2);
    expect(spool.stats().counters.stored).toBe(3);
  });

  it('says that a drain failed when the warehouse is down, and stops in the midst of a long pause', async () => {
    const sink = new RecordingSink();
    sink.away = true;
    await spool.append(entry([row(1)]));
    const shipper = spool.startShipper(sink, { gatherMs: 1, backoffMs: { first: 60_000, longest: 60_000 } });
    expect(await shipper.drain(100)).toBe(false);
    expect(shipper.state()).toMatchObject({ failures: 1, lastError: 'the warehouse is down' });
    expect(shipper.state().backoffMs).toBeGreaterThanOrEqual(30_000);
    await shipper.stop();
    expect(spool.stats().pendingRows).toBe(1);
  });

  it('halves go on after a restart in the midst of a bisection', async () => {
    const sink = new RecordingSink();
    sink.poison = '"n":7,';
    await spool.append(entry(many(64)));
    const first = spool.startShipper(sink, fast);
    await vi.waitFor(() => expect(sink.inserts).toBeGreaterThan(2));
    await first.stop();
    await spool.close();
    spool = await place.open();
    const second = spool.startShipper(sink, fast);
    expect(await second.drain(10_000)).toBe(true);
    await second.stop();
    expect(sink.stored()).toHaveLength(63);
    expect(new Set(sink.stored()).size).toBe(63);
    expect(spool.stats()).toMatchObject({ pendingRows: 0, counters: { stored: 63, unstorable: 1 } });
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

  it('ends an upload that would grow past it, and what it staged makes room', async () => {
    await spool.close();
    spool = await place.open({ maxBytes: 4 * 1024 * 1024 });
    const upload = spool.openUpload('edge_logpush');
    const grow = async () => {
      for (let n = 0; n < 100; n += 1) await upload.stage(many(100, 'x'.repeat(1_000)));
    };
    await expect(grow()).rejects.toThrow(/full/);
    expect(spool.stats().bytes).toBeLessThan(8 * 1024 * 1024);
    await upload.abort();
    await spool.append(entry([row(1)]));
    await untilAccepting();
  });
});

describe('rows', () => {
  it('that are not one line with an object are refused before anything is written', async () => {
    for (const line of [
      '',
      ' ',
      '\n',
      '{}\n',
      '{"a":\n1}',
      '[]',
      '"{}"',
      '{',
      '{} ',
      `{"x":"${'x'.repeat(1_048_576)}"}`,
    ]) {
      expect(() => spool.append(entry([row(1), row(2, { line })]))).toThrow(TypeError);
      await expect(spool.openUpload('edge_logpush').stage([row(2, { line })])).rejects.toThrow(TypeError);
    }
    expect(spool.stats().counters.received.get('edge_worker') ?? 0).toBe(0);
  });

  it('of any characters come out as they went in, and never an empty line', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 20 }), fc.nat(7), async (texts, pad) => {
        const sink = new RecordingSink();
        const values = texts.map((value, n) => ({ n, text: `${'x'.repeat(pad)}💥${value}` }));
        await spool.append(entry(values.map((value) => row(0, { line: JSON.stringify(value) }))));
        const shipper = spool.startShipper(sink, fast);
        expect(await shipper.drain(5_000)).toBe(true);
        await shipper.stop();
        expect([...sink.batches.values()].flat().map((line) => JSON.parse(line))).toEqual(values);
      }),
      { numRuns: 30 },
    );
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
