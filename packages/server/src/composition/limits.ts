/** Limits: the room with its stores, and what the others do when a property or an organization is deleted. */
import { join } from 'node:path';
import { type Clock, type Log, type RetentionLimits, retentionLimits } from '../common/index.ts';
import type { Config } from '../config.ts';
import {
  createDeletions,
  createLateRows,
  createTakeouts,
  type Deletions,
  type LateRows,
  type Takeouts,
} from '../limits/index.ts';
import type { BatchSink } from '../spool/index.ts';
import { DAILY_ROWS_DAYS } from '../warehouse/index.ts';
import type { Stores } from './stores.ts';

export interface Limits {
  readonly deletions: Deletions;
  readonly lateRows: LateRows;
  readonly takeouts: Takeouts;
}

export function openLimits(
  { dataDir }: Pick<Config, 'dataDir'>,
  { database, warehouse }: Pick<Stores, 'database' | 'warehouse'>,
  { nodeId: node, clock, log: parent }: { nodeId: string; clock: Clock; log: Log },
): Limits {
  const log = parent.child({ room: 'limits' });
  return {
    deletions: createDeletions({ database, warehouse, clock, log }),
    lateRows: createLateRows({ database, clock, log }),
    takeouts: createTakeouts({ database, warehouse, directory: join(dataDir, 'takeouts'), node, clock, log }),
  };
}

/** How long each class of data may be kept, and is where a property says nothing. */
export const retentionOf = (config: Config): RetentionLimits =>
  retentionLimits({ ...config, dailyDays: DAILY_ROWS_DAYS, byClass: config.retentionByClass });

/** The sink, without the rows of deleted properties. */
export function withoutDeleted(sink: BatchSink, lateRows: LateRows): BatchSink {
  return {
    ...sink,
    async duplicates(batch) {
      const late = await lateRows(batch);
      const known = (await sink.duplicates?.(batch)) ?? [];
      return late.length === 0 ? known : [...new Set([...late, ...known])].sort((a, b) => a - b);
    },
  };
}
