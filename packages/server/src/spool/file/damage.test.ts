/** Flipped bits and worse: what was acknowledged is stored once, or the start says what is missing and how much. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { countersOf } from '../counters.ts';
import { entry, packGroup, RecordingSink, row, silent } from '../testing.ts';
import { Aside } from './integrity/aside.ts';
import { openSpool } from './open.ts';
import { takeBatch } from './outgoing.ts';
import { openSpoolFile } from './recover.ts';
import { storeCalls } from './store.ts';
import { faultsOf, type Killed, type Kind, killed, recovered, seeded, tried } from './testing-damage.ts';

const victims: Killed[] = [];
beforeAll(() => {
  for (let seed = 1; seed <= 4; seed += 1) victims.push(killed(seed));
  return () => {
    for (const { directory } of victims) rmSync(join(directory, '..'), { recursive: true, force: true });
  };
});

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ghostlight-damage-test-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A spool as a kill leaves it: acknowledged rows that are only in the log. */
async function killedSpool(rows: number): Promise<string> {
  const live = await openSpool({
    directory: join(directory, 'live'),
    maxBytes: 1e9,
    clock: Date.now,
    log: silent,
  });
  for (let n = 0; n < rows; n += 1) await live.append(entry([row(n)]));
  const copy = join(directory, 'killed');
  mkdirSync(copy);
  for (const name of readdirSync(join(directory, 'live')).filter(
    (name) => name.startsWith('hits.spool') && !name.endsWith('-lock'),
  )) {
    copyFileSync(join(directory, 'live', name), join(copy, name));
  }
  await live.close();
  return copy;
}

async function opened(at: string) {
  const errors: unknown[] = [];
  const log = { ...silent, error: (what: object) => void errors.push(what) };
  const spool = await openSpool({ directory: at, maxBytes: 1e9, clock: Date.now, log });
  return { spool, errors };
}

async function shipped(spool: Awaited<ReturnType<typeof openSpool>>): Promise<(number | string)[]> {
  const sink = new RecordingSink();
  const shipper = spool.startShipper(sink, { gatherMs: 1 });
  expect(await shipper.drain(10_000)).toBe(true);
  await shipper.stop();
  return sink.stored();
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const all = readFileSync(path);
  all.set(bytes, at);
  writeFileSync(path, all);
}

describe('of what a killed process had acknowledged, each row is stored once or reported', () => {
  it('without any damage: all are stored, and nothing is reported', () => {
    for (const victim of victims) {
      const { outcome } = tried(victim, seeded(1), 'gone', '-nothing');
      expect(faultsOf(victim, outcome)).toEqual([]);
      expect(outcome).toMatchObject({ missing: 0, damages: [] });
    }
  });

  const kinds: [Kind, number][] = [
    ['bit', 10],
    ['run', 2],
    ['sector', 2],
    ['noise', 1],
    ['cut', 1],
    ['gone', 1],
  ];
  it.each(kinds)('after damage of the kind "%s" at random places', (kind, times) => {
    for (const [seed, victim] of victims.entries()) {
      const random = seeded(seed * 31 + kind.length);
      for (let time = 0; time < times; time += 1) {
        const { done, outcome } = tried(victim, random, kind);
        expect({ done, faults: faultsOf(victim, outcome) }).toEqual({ done, faults: [] });
      }
    }
  });
});

describe('the log', () => {
  it('of random bytes: what stood in it alone is counted as lost, in log, stats and after the next start', async () => {
    const at = await killedSpool(20);
    const wal = join(at, 'hits.spool-wal');
    writeFileSync(wal, readFileSync(wal).fill(0x5a));
    const { spool, errors } = await opened(at);
    expect(spool.stats()).toMatchObject({ pendingRows: 0, counters: { lost: 20 } });
    expect(spool.stats().counters.received.get('edge_worker')).toBe(20);
    expect(spool.stats().damages).toMatchObject([{ spool: 'hits', lostRows: 20 }]);
    expect(errors).toMatchObject([{ lostRows: 20 }]);
    // Every line of a spool's log names the spool already.
    expect(errors[0]).not.toHaveProperty('spool');
    await spool.append(entry([row('after')]));
    expect(await shipped(spool)).toEqual(['after']);
    await spool.close();
    const again = await opened(at);
    expect(again.spool.stats().damages).toMatchObject([{ lostRows: 20 }]);
    expect(again.errors).toEqual([]);
    await again.spool.close();
  });

  it('with one flipped bit in a row: it is turned back, and nothing is lost', async () => {
    const at = await killedSpool(20);
    const wal = join(at, 'hits.spool-wal');
    const place = readFileSync(wal).lastIndexOf('"n":7,');
    overwrite(wal, place + 4, Uint8Array.of(0x37 ^ 0x01));
    const { spool } = await opened(at);
    expect(spool.stats()).toMatchObject({ pendingRows: 20, damages: [{ lostRows: 0 }] });
    expect(await shipped(spool)).toEqual(Array.from({ length: 20 }, (_, n) => n));
    await spool.close();
  });

  it('that ends in a transaction cut off by the kill is no damage', async () => {
    const at = await killedSpool(20);
    const wal = join(at, 'hits.spool-wal');
    const bytes = readFileSync(wal);
    // The header of the last frame again, with half a page: as it is when the kill comes in the midst of a write.
    writeFileSync(wal, Buffer.concat([bytes, bytes.subarray(-(24 + 8192), -4_000)]));
    const { spool } = await opened(at);
    expect(spool.stats()).toMatchObject({ pendingRows: 20, damages: [], counters: { lost: 0 } });
    await spool.close();
  });

  it('that was cut off by a power loss before anything in it was acknowledged is no damage', async () => {
    const at = await killedSpool(20);
    // The mark is from before, as a power loss may leave it, and of another start of the machine.
    rmSync(join(at, 'hits.spool-mark'));
    truncateSync(join(at, 'hits.spool-wal'), readFileSync(join(at, 'hits.spool-wal')).length - 5_000);
    const { spool } = await opened(at);
    expect(spool.stats().damages).toEqual([]);
    await spool.close();
  });
});

describe('what was shipped in commits that are lost', () => {
  it('is neither shipped again nor counted away', () => {
    const path = join(directory, 'hits.spool');
    for (const victim of victims) {
      for (const name of readdirSync(victim.directory))
        copyFileSync(join(victim.directory, name), join(directory, name));
      if (existsSync(`${path}-wal`)) writeFileSync(`${path}-wal`, readFileSync(`${path}-wal`).fill(1, 40));
      const outcome = recovered(directory, victim);
      expect(faultsOf(victim, outcome)).toEqual([]);
      expect(outcome.received).toBe(victim.received);
    }
  });
});

describe('the file', () => {
  it('that can’t be opened any more is rebuilt, and what is missing is reported', async () => {
    const at = await killedSpool(20);
    const first = await opened(at);
    await first.spool.close();
    overwrite(join(at, 'hits.spool'), 100, Buffer.alloc(30_000, 7));
    const { spool } = await opened(at);
    const { counters, damages, pendingRows } = spool.stats();
    expect(counters.received.get('edge_worker')).toBe(20);
    expect(counters.lost + pendingRows).toBe(20);
    expect(damages).toMatchObject([{ lostRows: counters.lost }]);
    expect(existsSync(join(at, damages[0]?.keptIn ?? 'nowhere', 'hits.spool'))).toBe(true);
    await spool.close();
  });

  it('of the format before gets checksums and keeps its rows', async () => {
    const at = await killedSpool(3);
    await (await opened(at)).spool.close();
    const db = new DatabaseSync(join(at, 'hits.spool'));
    db.exec(
      'ALTER TABLE chunks DROP COLUMN sum; ALTER TABLE chunks DROP COLUMN seal; PRAGMA user_version = 1',
    );
    db.close();
    for (const ending of ['sums', 'mark', 'ledger']) rmSync(join(at, `hits.spool-${ending}`));
    const { spool } = await opened(at);
    expect(spool.stats().damages).toEqual([]);
    expect(await shipped(spool)).toEqual([0, 1, 2]);
    await spool.close();
  });

  it('is looked at again when rows go out: bytes that changed meanwhile are kept aside, and reported', () => {
    const file = openSpoolFile(join(directory, 'hits.spool'), {
      maxBytes: 1e9,
      maxPages: undefined,
      durable: false,
    });
    file.transaction(() => {
      file.insertChunk({ month: '202611', rows: 1, body: Buffer.from('{"n":1}\n') }, { at: 1, batch: 'b' });
      file.count([['kept|edge_worker|ai_bot', 1]]);
      file.statement("INSERT INTO batches (id, month, rows, attempt) VALUES ('b', '202611', 1, 0)").run();
      file.statement('UPDATE bodies SET body = CAST(\'{"n":2}\' || char(10) AS BLOB)').run();
    });
    expect(takeBatch(file, [])).toBeNull();
    expect(file.takeDamages()).toMatchObject([{ lostRows: 1 }]);
    expect(new Map(file.counters()).get('lost')).toBe(1);
    file.close();
  });
});

it('a batch that lost rows to damage after it was stored: what the warehouse has is stored, and not lost', async () => {
  const path = join(directory, 'hits.spool');
  const options = { maxBytes: 1e9, maxPages: undefined, durable: false };
  const first = openSpoolFile(path, options);
  const calls = storeCalls(first);
  for (const [from, count] of [
    [0, 5],
    [5, 3],
    [8, 2],
  ] as const) {
    const rows = Array.from({ length: count }, (_, n) => row(from + n));
    calls.append({ ...packGroup([entry(rows)]), at: 1 });
  }
  const taken = calls.takeBatch([])?.batch;
  if (taken === undefined) throw new Error('no batch was taken');
  // The warehouse has it, and the answer was lost. Then the disk changes one chunk of it, and one that was not taken yet.
  calls.append({ ...packGroup([entry([row(10), row(11)])]), at: 1 });
  const change = first.statement("UPDATE bodies SET body = CAST('x' AS BLOB) WHERE chunk = ?");
  first.transaction(() => [change.run(2), change.run(4)]);
  const sink = Object.assign(new RecordingSink(), {
    distinct: async ({ id }: { id: string }) => new Set(sink.batches.get(id)).size,
    missing: async () => [],
  });
  sink.batches.set(taken.id, Buffer.from(taken.body).toString('utf8').trimEnd().split('\n'));
  first.close();

  const { spool } = await opened(directory);
  const shipper = spool.startShipper(sink, { gatherMs: 1 });
  expect(await shipper.drain(10_000)).toBe(true);
  await shipper.stop();
  expect(sink.stored()).toHaveLength(10);
  expect(spool.stats()).toMatchObject({ pendingRows: 0, counters: { stored: 10, lost: 2 } });
  await spool.close();

  // A number that is too large takes no more than was counted.
  const again = openSpoolFile(path, options);
  const last = storeCalls(again);
  last.append({ ...packGroup([entry([row('last')])]), at: 1 });
  last.finishBatch(last.takeBatch([])?.batch.id ?? '', 50);
  expect(countersOf(new Map(again.counters()))).toMatchObject({ stored: 13, lost: 0 });
  again.close();
});

describe('kept files', () => {
  it('are bounded in number and age', () => {
    const path = join(directory, 'hits.spool');
    writeFileSync(path, 'damaged');
    const aside = new Aside(path);
    const day = 86_400_000;
    const now = Date.now();
    const kept = [0, 1, 2, 3, 4].map((n) => aside.keep(now + n));
    expect(readdirSync(join(directory, 'damaged'))).toEqual(
      kept.slice(2).map((set) => set?.slice('damaged/'.length)),
    );
    aside.expire(now + 31 * day);
    expect(readdirSync(join(directory, 'damaged'))).toEqual([]);
    for (let n = 0; n < 25; n += 1)
      aside.report({ at: now + n, found: ['a bit'], lostRows: 0, keptIn: null });
    expect(aside.reports(now)).toHaveLength(20);
    expect(aside.reports(now + 31 * day)).toEqual([]);
  });
});
