/**
 * Damages a spool's files and checks whether what was acknowledged is stored once, or reported. The files are those of a process that was killed:
 * copied while it had them open, since a kill leaves what the operating system has.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countersOf } from '../counters.ts';
import { entry, packGroup, row } from '../testing.ts';
import type { Batch, Damage } from '../types.ts';
import type { SpoolFile } from './file.ts';
import { openSpoolFile } from './recover.ts';
import { type StoreCalls, storeCalls } from './store.ts';

/** A number from 0 to below the given one. */
type Random = (below: number) => number;

/** The same numbers for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const OPTIONS = { maxBytes: 4 * 1024 * 1024, maxPages: undefined, durable: false };
const ENDINGS = ['', '-wal', '-mark', '-sums', '-ledger'] as const;
const NOW = 1_800_000_000_000;

/** A killed process: its files, what the warehouse holds, what was acknowledged. */
export interface Killed {
  readonly directory: string;
  readonly warehouse: ReadonlyMap<string, readonly string[]>;
  readonly acknowledged: readonly string[];
  /** Elements, by the counter's name. */
  readonly received: number;
}

/** A history of hits, uploads and batches, cut off somewhere. */
export function killed(seed: number): Killed {
  const random = seeded(seed);
  const directory = mkdtempSync(join(tmpdir(), 'ghostlight-damage-'));
  const path = join(directory, 'live', 'hits.spool');
  mkdirSync(join(directory, 'live'));
  const file = openSpoolFile(path, OPTIONS);
  const calls = storeCalls(file);
  const warehouse = new Map<string, readonly string[]>();
  const acknowledged: string[] = [];
  let received = 0;
  let next = 0;
  const rows = (count: number) =>
    Array.from({ length: count }, () => {
      next += 1;
      const text = 'x'.repeat(random(600));
      return row(next, {
        line: JSON.stringify({ n: `r${next}`, text }),
        dedupKey: random(2) === 0 ? `key-${next}` : null,
        month: random(10) === 0 ? '202610' : '202611',
      });
    });
  const ids = (taken: ReturnType<typeof rows>) => taken.map(({ line }) => idOf(line));
  const steps: (() => void)[] = [
    () => {
      const taken = rows(1 + random(20));
      calls.append({ ...packGroup([entry(taken)]), at: NOW });
      acknowledged.push(...ids(taken));
      received += taken.length;
    },
    () => {
      const upload = next + 1;
      const taken = rows(30 + random(100));
      const packed = packGroup([entry(taken, { endpoint: 'edge_logpush' })]);
      calls.stage({ upload, rows: packed.rows, at: NOW });
      // Some end here: nothing of them may ever be stored.
      if (random(4) === 0) return;
      const digest = { scope: 'key', hex: `upload-${upload}` };
      const { counters, quarantine } = packed;
      const message = {
        ...digest,
        upload,
        endpoint: 'edge_logpush',
        received: taken.length,
        rows: taken.length,
      };
      calls.commit({ ...message, counters, quarantine, at: NOW });
      acknowledged.push(...ids(taken));
      received += taken.length;
    },
    () => ship(calls, warehouse, random(3) === 0, random),
    () => ship(calls, warehouse, false, random),
    () => calls.tidy(NOW, 1_000),
  ];
  const length = 20 + random(120);
  for (let step = 0; step < length; step += 1) steps[[0, 0, 0, 1, 2, 3, 4][random(7)] ?? 0]?.();
  mkdirSync(join(directory, 'killed'));
  for (const ending of ENDINGS) {
    if (existsSync(`${path}${ending}`))
      copyFileSync(`${path}${ending}`, join(directory, 'killed', `hits.spool${ending}`));
  }
  file.close();
  return { directory: join(directory, 'killed'), warehouse, acknowledged, received };
}

/** One turn of the shipper. @param cutOff after the insert. @returns false when there was nothing to ship */
function ship(
  calls: StoreCalls,
  warehouse: Map<string, readonly string[]>,
  cutOff: boolean,
  random: Random,
): boolean {
  const taken = calls.takeBatch([]);
  if (taken === null) return false;
  let batch: Batch | null = taken.batch;
  if (taken.doubtful) {
    const stored = warehouse.get(batch.id)?.length ?? 0;
    if (stored > 0) {
      calls.finishBatch(batch.id);
      return true;
    }
    batch = calls.retryBatch(batch.id);
  }
  if (batch === null) return true;
  if (batch.rows > 1 && random(12) === 0) {
    calls.splitBatch(batch.id, 'refused', NOW);
    return true;
  }
  const lines = Buffer.from(batch.body).toString('utf8').trimEnd().split('\n');
  warehouse.set(batch.id, lines.map(idOf));
  if (!cutOff) calls.finishBatch(batch.id);
  return true;
}

const idOf = (line: string): string => (JSON.parse(line) as { n: string }).n;

export type Kind = 'bit' | 'run' | 'sector' | 'noise' | 'cut' | 'gone';

/** Damages one file. @returns what was done, as a sentence */
export function damage(directory: string, random: Random, kind: Kind, ending?: string): string {
  const there = ENDINGS.filter((end) => {
    const path = join(directory, `hits.spool${end}`);
    return existsSync(path) && statSync(path).size > 0;
  });
  const wanted = ending ?? there[random(there.length)] ?? '';
  const path = join(directory, `hits.spool${wanted}`);
  if (!existsSync(path) || statSync(path).size === 0) return 'nothing';
  const bytes = readFileSync(path);
  const at = random(bytes.length);
  if (kind === 'bit') {
    const bit = random(8);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
    writeFileSync(path, bytes);
    return `bit ${bit} of byte ${at} of ${wanted || 'the file'}`;
  }
  if (kind === 'gone') rmSync(path);
  else if (kind === 'cut') truncateSync(path, at);
  else {
    const start = kind === 'noise' ? 0 : at;
    const end = Math.min(bytes.length, kind === 'noise' ? bytes.length : at + (kind === 'run' ? 48 : 512));
    for (let index = start; index < end; index += 1) bytes[index] = kind === 'sector' ? 0 : random(256);
    writeFileSync(path, bytes);
  }
  return `${kind} at ${at} of ${wanted || 'the file'}`;
}

export interface Outcome {
  readonly doubled: readonly string[];
  /** Acknowledged and not stored. */
  readonly missing: number;
  /** Never acknowledged, and stored. */
  readonly strange: readonly string[];
  readonly damages: readonly Damage[];
  /** What the start refused with. */
  readonly refused: string | null;
  readonly received: number;
  /** kept less all it can have become. */
  readonly unaccounted: number;
}

/** Starts on the files, ships everything, counts. */
export function recovered(directory: string, { warehouse, acknowledged }: Killed): Outcome {
  const stored = new Map(warehouse);
  let file: SpoolFile;
  try {
    file = openSpoolFile(join(directory, 'hits.spool'), OPTIONS);
  } catch (error) {
    return { ...NOTHING, missing: acknowledged.length, refused: String(error) };
  }
  try {
    const damages = file.takeDamages();
    const calls = storeCalls(file);
    while (ship(calls, stored, false, () => 1)) damages.push(...file.takeDamages());
    damages.push(...file.takeDamages());
    const all = [...stored.values()].flat();
    const counts = new Map<string, number>();
    for (const id of all) counts.set(id, (counts.get(id) ?? 0) + 1);
    const known = new Set(acknowledged);
    const counters = countersOf(new Map(file.counters()));
    const kept = [...counters.kept.values()].flatMap((labels) => [...labels.values()]);
    const parts = counters.stored + counters.unstorable + counters.lateDuplicate + counters.lost;
    return {
      doubled: [...counts].flatMap(([id, count]) => (count > 1 ? [id] : [])),
      missing: acknowledged.filter((id) => !counts.has(id)).length,
      strange: all.filter((id) => !known.has(id)),
      damages,
      refused: null,
      received: [...counters.received.values()].reduce((sum, count) => sum + count, 0),
      unaccounted: kept.reduce((sum, count) => sum + count, 0) - parts,
    };
  } finally {
    file.close();
  }
}

const NOTHING = { doubled: [], strange: [], damages: [], received: 0, unaccounted: 0 };

/** Copies the killed process's files, damages them, and starts on them. */
export function tried(
  process: Killed,
  random: Random,
  kind: Kind,
  ending?: string,
): { done: string; outcome: Outcome } {
  const directory = mkdtempSync(join(tmpdir(), 'ghostlight-damaged-'));
  try {
    for (const name of readdirSync(process.directory))
      copyFileSync(join(process.directory, name), join(directory, name));
    const done = damage(directory, random, kind, ending);
    return { done, outcome: recovered(directory, process) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Sentences about what must never be; empty: it was stored once, or reported. */
export function faultsOf({ received }: Killed, outcome: Outcome): string[] {
  if (outcome.refused !== null) return [];
  const faults: string[] = [];
  const { doubled, missing, strange, damages, unaccounted } = outcome;
  const isUnknown = damages.some(({ lostRows }) => lostRows === null);
  const told = damages.reduce((sum, { lostRows }) => sum + (lostRows ?? 0), 0);
  if (doubled.length > 0) faults.push(`${doubled.length} rows are stored twice`);
  if (strange.length > 0) faults.push(`${strange.length} rows are stored that were never acknowledged`);
  if (missing > 0 && !isUnknown && told < missing)
    faults.push(`${missing} rows are missing, ${told} reported`);
  if (unaccounted !== 0) faults.push(`${unaccounted} kept rows are unaccounted for`);
  if (!isUnknown && outcome.received < received)
    faults.push(`the counters went back from ${received} to ${outcome.received}`);
  return faults;
}
