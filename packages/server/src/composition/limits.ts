/** Limits: the room with its stores, and what the others do when a property or an organization is deleted. */
import { join } from 'node:path';
import { type Clock, type Log, type RetentionLimits, retentionLimits } from '../common/index.ts';
import type { Config } from '../config.ts';
import {
  createDeletions,
  createLateRows,
  createOutlivedRows,
  createTakeouts,
  type Deletions,
  type LateRows,
  type OutlivedRows,
  type Takeouts,
} from '../limits/index.ts';
import type { BatchSink } from '../spool/index.ts';
import { DAILY_ROWS_DAYS } from '../warehouse/index.ts';
import type { Stores } from './stores.ts';

export interface Limits {
  readonly deletions: Deletions;
  readonly lateRows: LateRows;
  readonly outlivedRows: OutlivedRows;
  readonly takeouts: Takeouts;
}

export function openLimits(
  config: Config,
  { database, warehouse }: Pick<Stores, 'database' | 'warehouse'>,
  { nodeId: node, clock, log: parent }: { nodeId: string; clock: Clock; log: Log },
): Limits {
  const log = parent.child({ room: 'limits' });
  const directory = join(config.dataDir, 'takeouts');
  return {
    deletions: createDeletions({ database, warehouse, clock, log }),
    lateRows: createLateRows({ database, clock, log }),
    outlivedRows: createOutlivedRows({ database, limits: retentionOf(config), clock, log }),
    takeouts: createTakeouts({ database, warehouse, directory, node, clock, log }),
  };
}

/** How long each class of data may be kept, and is where a property says nothing. */
export const retentionOf = (config: Config): RetentionLimits =>
  retentionLimits({ ...config, dailyDays: DAILY_ROWS_DAYS, byClass: config.retentionByClass });

/** The sink of hits, without the rows of deleted properties; it knows which rows may have outlived. */
export function withoutDeleted(
  sink: BatchSink,
  { lateRows, outlivedRows }: Pick<Limits, 'lateRows' | 'outlivedRows'>,
): BatchSink {
  return {
    ...sink,
    outlived: ({ body }) => outlivedRows('hits', body),
    async duplicates(batch) {
      const late = await lateRows(batch);
      const known = (await sink.duplicates?.(batch)) ?? [];
      return late.length === 0 ? known : [...new Set([...late, ...known])].sort((a, b) => a - b);
    },
  };
}
