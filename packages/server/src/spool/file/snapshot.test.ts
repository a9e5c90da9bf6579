/** A spool's files at one moment, while rows go on to come. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { openSpool } from '../index.ts';
import type { Spool } from '../spool.ts';
import { entry, packGroup, RecordingSink, row, silent } from '../testing.ts';
import { figuresOfCopy } from './copied.ts';
import { openSpoolFile } from './recover.ts';
import { snapshotOf } from './snapshot.ts';
import { storeCalls } from './store.ts';

const directories: string[] = [];
const spools: Spool[] = [];
const never = new AbortController().signal;
afterEach(async () => {
  for (const spool of spools.splice(0)) await spool.close();
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'ghostlight-snapshot-'));
  directories.push(path);
  return path;
}

async function open(path: string): Promise<Spool> {
  const spool = await openSpool({ directory: path, maxBytes: 1e9, clock: Date.now, log: silent });
  spools.push(spool);
  return spool;
}

/** More than the log holds before it is written back. */
const LARGE = 'x'.repeat(300_000);
const some = (from: number, count: number, text = '') =>
  Array.from({ length: count }, (_, n) =>
    row(from + n, { line: JSON.stringify({ n: from + n, text }), dedupKey: `key-${from + n}` }),
  );

it('holds what it held at that moment, however much comes while it is copied, and no damage is found in it', async () => {
  const spool = await open(directory());
  await spool.append(entry(some(0, 20)));
  const sink = new RecordingSink();
  const shipper = spool.startShipper(sink, { gatherMs: 1 });
  expect(await shipper.drain(10_000)).toBe(true);
  const resume = await shipper.pause(10_000);
  for (let turn = 1; turn <= 20; turn += 1) await spool.append(entry(some(turn * 100, 3, LARGE)));
  const snapshot = await spool.snapshot();
  expect(snapshot?.waiting).toBe(60);
  for (let turn = 21; turn <= 60; turn += 1) await spool.append(entry(some(turn * 100, 3, LARGE)));

  const to = directory();
  const names = (await snapshot?.copyTo(to, never)) ?? [];
  expect(names).toEqual(['hits.spool', 'hits.spool-wal']);
  for (const name of names) expect(statSync(join(to, name)).mode & 0o777).toBe(0o600);
  expect(names.reduce((sum, name) => sum + statSync(join(to, name)).size, 0)).toBe(snapshot?.bytes);

  const copy = await open(to);
  expect(copy.stats()).toMatchObject({ pendingRows: 60, damages: [], counters: { stored: 20, lost: 0 } });
  const again = new RecordingSink();
  const copied = copy.startShipper(again, { gatherMs: 1 });
  expect(await copied.drain(20_000)).toBe(true);
  await copied.stop();
  expect(new Set(again.stored()).size).toBe(60);
  // The keys are there too: what is sent again is known.
  expect(await copy.append(entry(some(0, 20)))).toEqual({ kept: 0, duplicate: 20 });

  resume();
  expect(await shipper.drain(20_000)).toBe(true);
  await shipper.stop();
  expect(new Set(sink.stored()).size).toBe(200);
  const { bytes } = spool.stats();
  expect(bytes, 'the log is written back again').toBeLessThan(10_000_000);
});

const SIZES = fc.array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 24 });

it('holds what it held wherever the log is between two write-backs, which batches are stored too', async () => {
  // Written back at 64 pages, half a megabyte.
  const options = { maxBytes: 4 * 1024 * 1024, maxPages: undefined, durable: false };
  let without = 0;
  let withLog = 0;
  await fc.assert(
    fc.asyncProperty(SIZES, fc.boolean(), SIZES, async (before, ships, after) => {
      const live = openSpoolFile(join(directory(), 'hits.spool'), options);
      try {
        const calls = storeCalls(live);
        const take = (sizes: readonly number[], name: string) => {
          for (const [n, size] of sizes.entries()) {
            const line = JSON.stringify({ n: `${name}${n}`, text: 'x'.repeat(size) });
            calls.append({ ...packGroup([entry([row(n, { line })])]), at: Date.now() });
          }
        };
        take(before.slice(0, 5), 'first');
        const batch = ships ? calls.takeBatch([])?.batch : undefined;
        take(before.slice(5), 'before');
        if (batch !== undefined) calls.finishBatch(batch.id);
        const pin = live.pin();
        const snapshot = snapshotOf(pin, async () => live.unpin());
        take(after, 'after');
        const rest = calls.takeBatch([])?.batch;
        if (rest !== undefined) calls.finishBatch(rest.id);
        live.checkpoint();

        const to = directory();
        const names = await snapshot.copyTo(to, never);
        if (names.length === 1) without += 1;
        else withLog += 1;
        const stored = snapshot.counters.stored;
        expect(stored).toBe(batch?.rows ?? 0);
        const figures = { waiting: before.length - stored, stored };
        expect(figuresOfCopy(join(to, 'hits.spool'), { readOnly: true })).toEqual(figures);
        expect(readdirSync(to).sort(), 'it is left as it was').toEqual(names);
        expect(figuresOfCopy(join(to, 'hits.spool'))).toEqual(figures);
        const copy = new DatabaseSync(join(to, 'hits.spool'));
        expect(copy.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
        copy.close();
      } finally {
        live.close();
      }
    }),
    {
      numRuns: 28,
      endOnFailure: true,
      examples: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16].map((n) => [
        new Array<number>(n).fill(50_000),
        false,
        [50_000, 1],
      ]),
    },
  );
  // Both were met: a log that is still needed, and one that is written back.
  expect(without).toBeGreaterThan(0);
  expect(withLog).toBeGreaterThan(0);
});

it('is refused when the file was let go before the copy was whole', async () => {
  const spool = await open(directory());
  await spool.append(entry(some(0, 5)));
  const snapshot = await spool.snapshot();
  await (await spool.snapshot())?.release();
  await expect(snapshot?.copyTo(directory(), never)).rejects.toThrow('opened again');
});

it('ends when it is aborted', async () => {
  const spool = await open(directory());
  await spool.append(entry(some(0, 5)));
  const snapshot = await spool.snapshot();
  await expect(snapshot?.copyTo(directory(), AbortSignal.abort())).rejects.toThrow();
  await snapshot?.release();
});
