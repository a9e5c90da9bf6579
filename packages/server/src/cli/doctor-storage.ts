/** What `ghostlight doctor` finds of the disk, the stores and what waits in the spool. */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { counted, size } from '../common/index.ts';
import type { Config } from '../config.ts';
import type { CommandContext } from './command.ts';

export interface Finding {
  /** Of `--warehouse`: which check. */
  readonly check?: string;
  readonly level: 'good' | 'note' | 'bad';
  readonly text: string;
}

const LOW_DISK_BYTES = 2 * 1024 ** 3;
/** So little that writes fail already, or are about to. */
const FULL_DISK_BYTES = 64 * 1024 ** 2;

export interface Readiness {
  readonly checks: Readonly<Record<string, 'ok' | 'failing'>>;
  readonly reasons?: Readonly<Record<string, string>>;
}

interface SpoolState {
  readonly pending_rows: number;
  readonly oldest_seconds: number;
  readonly last_error: string | null;
  readonly parked_batches: number;
  readonly acknowledged_on: 'node' | keyof typeof LEVELS;
  readonly acknowledged_note: string;
  readonly damages: readonly {
    readonly at: string;
    readonly spool: string;
    readonly found: readonly string[];
    readonly lost_rows: number | null;
    readonly kept_in: string | null;
  }[];
}

export async function storage(config: Config, service: CommandContext['service']): Promise<Finding[]> {
  // A node that can't take work answers 503, with the reasons.
  const { body } = await service.ask('GET', '/readyz');
  const spool = (await service.call('GET', '/api/v1/spool')) as SpoolState;
  const free = await freeBytes(config.dataDir);
  return [...storeFindings(body as Readiness, { path: config.dataDir, free }), ...spoolFindings(spool)];
}

async function freeBytes(path: string): Promise<number | null> {
  if (!existsSync(path)) return null;
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** @param disk `free` in bytes; null: there is no such directory */
export function storeFindings(
  { checks, reasons }: Readiness,
  disk: { readonly path: string; readonly free: number | null },
): Finding[] {
  const isFull = disk.free !== null && disk.free < FULL_DISK_BYTES;
  return [
    ...(disk.free === null ? [] : [diskFinding(disk.path, disk.free)]),
    ...Object.entries(checks).flatMap(([name, state]): Finding[] => {
      if (state === 'failing')
        return [
          {
            level: 'bad',
            text: `${reasons?.[name] ?? `The ${name} does not answer.`} The log of this service says more.`,
          },
        ];
      // Open still, but what it is sent next may not fit.
      if (name === 'spool' && isFull) return [];
      return [{ level: 'good', text: name === 'spool' ? 'The spool takes hits.' : `The ${name} answers.` }];
    }),
  ];
}

function diskFinding(path: string, free: number): Finding {
  const gigabytes = (free / 1024 ** 3).toFixed(1);
  if (free < FULL_DISK_BYTES)
    return {
      level: 'bad',
      text: `The disk of ${path} is full (${size(free)} are free): hits and conversions are answered 503 until you make room. What waits in the spool is safe.`,
    };
  if (free < LOW_DISK_BYTES)
    return {
      level: 'bad',
      text: `Only ${gigabytes} GiB are free for ${path}: free up space, or ingest will return 503.`,
    };
  return { level: 'good', text: `${gigabytes} GiB are free for the data directory.` };
}

/** What a spool in PostgreSQL survives: only a server that confirms without a disk is a fault. */
const LEVELS = { memory: 'bad', server: 'note', standby: 'good' } as const;

export function spoolFindings(spool: SpoolState): Finding[] {
  const findings: Finding[] = [];
  if (spool.acknowledged_on !== 'node')
    findings.push({ level: LEVELS[spool.acknowledged_on], text: spool.acknowledged_note });
  if (spool.oldest_seconds > 60) {
    const hits = counted(spool.pending_rows, ['hit waits', 'hits wait']);
    const waiting = `${hits} for the warehouse, the oldest for ${Math.round(spool.oldest_seconds)} s`;
    findings.push({ level: 'bad', text: `${waiting}: ${spool.last_error ?? 'the shipper is behind'}.` });
  }
  for (const { at, spool: name, found, lost_rows, kept_in } of spool.damages) {
    const lost =
      lost_rows === null
        ? 'how many acknowledged rows are lost can’t be known'
        : lost_rows === 0
          ? 'no acknowledged row is lost'
          : `${counted(lost_rows, ['acknowledged row is', 'acknowledged rows are'])} lost`;
    const kept =
      kept_in === null
        ? ''
        : ` The damaged files were kept in spool/${kept_in} (the three newest sets, for 30 days; the erasure of a visitor removes them).`;
    findings.push({
      level: lost_rows === 0 ? 'note' : 'bad',
      text: `The spool "${name}" was damaged (${at}): ${found.join('; ')}. By the counters, ${lost}.${kept} Look at the disk.`,
    });
  }
  if (spool.parked_batches > 0) {
    findings.push({
      level: 'bad',
      text: `${counted(spool.parked_batches, ['batch is', 'batches are'])} stored in part, and ${spool.parked_batches === 1 ? 'stays' : 'stay'} in the spool. Compare with the log by hand.`,
    });
  }
  return findings;
}
