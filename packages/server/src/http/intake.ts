/**
 * Whether this node takes hits, and if not: why, on which disk, and what to do. Operators get the path and the free disk space;
 * unauthenticated clients, who may ask for readiness too, only the kind of problem.
 */
import { statfs } from 'node:fs/promises';
import { size } from '../common/index.ts';
import type { Closure } from '../spool/index.ts';

export const INTAKE_STATES = [
  'open',
  'disk_full',
  'disk_failing',
  'spool_full',
  'busy',
  'drained',
  'stopping',
] as const;
type IntakeState = (typeof INTAKE_STATES)[number];

export interface DiskSpace {
  readonly path: string;
  /** null: the disk can't be asked. */
  readonly freeBytes: number | null;
  readonly totalBytes: number | null;
}

export interface Intake extends DiskSpace {
  readonly state: IntakeState;
  /** For operators; null: open. */
  readonly reason: string | null;
  /** For anyone; null: open. */
  readonly summary: string | null;
}

/** What a write asks for that finds out whether a full disk has room again, and a little more. */
const HARDLY_ANY_BYTES = 1024 * 1024;

export async function spaceOf(path: string): Promise<DiskSpace> {
  try {
    const { bavail, blocks, bsize } = await statfs(path);
    return { path, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return { path, freeBytes: null, totalBytes: null };
  }
}

/** `1.2 GiB of 50 GiB are free` */
export const freeOf = ({ freeBytes, totalBytes }: DiskSpace): string =>
  freeBytes === null || totalBytes === null
    ? 'the free space is unknown'
    : `${size(freeBytes)} of ${size(totalBytes)} are free`;

/**
 * @param closure why the spool takes nothing; null: it takes hits
 * @param directory of the spool
 */
export async function intakeOf(closure: Closure | 'drained' | null, directory: string): Promise<Intake> {
  const space = await spaceOf(directory);
  if (closure === null) return { ...space, state: 'open', reason: null, summary: null };
  if (closure === 'drained') return { ...space, state: 'drained', ...both(DRAINED) };
  if (closure.store === 'postgres') return { ...space, ...ofPostgres(closure) };
  const { path, said, bytes, maxBytes } = closure;
  const free = freeOf(space);
  switch (closure.kind) {
    case 'closed':
      return {
        ...space,
        state: 'stopping',
        ...both('This node is not accepting hits: it is shutting down.'),
      };
    case 'busy':
      return {
        ...space,
        state: 'busy',
        summary: 'This node is briefly not accepting hits: its disk can’t keep up.',
        reason: `This node is briefly not accepting hits: they arrive faster than the disk of ${path} can write. If this persists, check that disk or add nodes.`,
      };
    case 'full':
      return {
        ...space,
        state: 'spool_full',
        summary: 'This node is not accepting hits: its spool has reached its size limit.',
        reason: `This node is not accepting hits: its spool ${path} holds ${size(bytes)} of at most ${size(maxBytes)} (SPOOL_MAX_BYTES). It empties as the warehouse accepts the rows: check that the warehouse responds, or raise SPOOL_MAX_BYTES; on that disk ${free}.`,
      };
    case 'disk':
      return isFull(space, said)
        ? {
            ...space,
            state: 'disk_full',
            summary: 'This node is not accepting hits: the disk of its spool is full.',
            reason: `This node is not accepting hits: the disk of ${path} is full (${free}). Free up space on it, or move DATA_DIR to a larger disk. Hits are accepted again within seconds; no restart is needed.`,
          }
        : {
            ...space,
            state: 'disk_failing',
            summary: 'This node is not accepting hits: the disk of its spool refuses writes.',
            reason: `This node is not accepting hits: the disk of ${path} refuses writes (${said ?? 'no reason given'}; ${free}). Check the disk and its write permissions. Hits are accepted again as soon as a write succeeds.`,
          };
  }
}

/** The same of a spool that all nodes share: no disk of this node's is the matter. */
function ofPostgres({
  kind,
  path,
  said,
  bytes,
  maxBytes,
}: Closure): Pick<Intake, 'state' | 'reason' | 'summary'> {
  switch (kind) {
    case 'closed':
      return { state: 'stopping', ...both('This node is not accepting hits: it is shutting down.') };
    case 'busy':
      return {
        state: 'busy',
        summary: 'This node is briefly not accepting hits: its spool can’t keep up.',
        reason: `This node is briefly not accepting hits: they arrive faster than ${path} commits. If this persists, check that server’s load and disk.`,
      };
    case 'full':
      return {
        state: 'spool_full',
        summary: 'This node is not accepting hits: its spool has reached its size limit.',
        reason: `This node is not accepting hits: the spool in ${path} holds ${size(bytes)} of at most ${size(maxBytes)} (SPOOL_MAX_BYTES). It empties as the warehouse accepts the rows: check that the warehouse responds, or raise SPOOL_MAX_BYTES on every node.`,
      };
    case 'disk':
      return saysFull(said)
        ? {
            state: 'disk_full',
            summary: 'This node is not accepting hits: the disk of its spool is full.',
            reason: `This node is not accepting hits: the disk of ${path} is full (${said}). Free up space on it. Hits are accepted again within seconds; no restart is needed.`,
          }
        : {
            state: 'disk_failing',
            summary: 'This node is not accepting hits: the database of its spool refuses writes.',
            reason: `This node is not accepting hits: ${path} does not answer, or refuses writes (${said ?? 'no reason given'}). Hits are accepted again as soon as it answers.`,
          };
  }
}

const DRAINED =
  'This node is not accepting hits: it was drained (`ghostlight spool drain`). Restart it to accept hits again.';

const both = (sentence: string) => ({ reason: sentence, summary: sentence });

const saysFull = (said: string | null): boolean => /\bfull\b|ENOSPC|no space/i.test(said ?? '');

const isFull = ({ freeBytes }: DiskSpace, said: string | null): boolean =>
  saysFull(said) || (freeBytes !== null && freeBytes < HARDLY_ANY_BYTES);
