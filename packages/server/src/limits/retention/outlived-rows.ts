/**
 * Rows of a batch that are older than their property keeps them. Where such rows are missing in the warehouse they were deleted there; they
 * are not lost. Asked about a batch that its node could not end before the warehouse deleted some of it.
 */
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import {
  type Clock,
  keptDays,
  type Log,
  type RetentionClass,
  type RetentionLimits,
  type RetentionRules,
  readRules,
  retentionClassOf,
} from '../../common/index.ts';
import type { Database } from '../../database/index.ts';

/** A day that begins in the property's time zone may begin so much later than days of 24 hours say: clocks change. */
const CLOCKS_CHANGE_MS = 2 * HOUR_MS;

/** @returns numbers of the lines; ascending */
export type OutlivedRows = (table: 'hits' | 'events', body: Uint8Array) => Promise<number[]>;

interface Line {
  readonly attribution_id: string;
  readonly class?: Parameters<typeof retentionClassOf>[0];
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Never throws: while the database is down no row counts as outlived, and the shipper asks again. */
export function createOutlivedRows({
  database,
  limits,
  clock,
  log,
}: {
  readonly database: Pick<Database, 'reader'>;
  readonly limits: RetentionLimits;
  readonly clock: Clock;
  readonly log: Log;
}): OutlivedRows {
  const rulesOf = async (ids: readonly string[]): Promise<Map<string, RetentionRules>> => {
    const rows = await database.reader
      .selectFrom('properties')
      .select(['id', 'retention'])
      .where('id', 'in', ids)
      .execute();
    return new Map(rows.map(({ id, retention }) => [id, readRules(retention)]));
  };

  /** Before which moment rows were deleted last: the rule may have been another then. By `<attribution id>/<class>`. */
  const cutsOf = async (ids: readonly string[]): Promise<Map<string, number>> => {
    const rows = await database.reader
      .selectFrom('retention_runs')
      .select(['attribution_id', 'class', 'cut_at'])
      .where('attribution_id', 'in', ids)
      .execute();
    return new Map(rows.map((run) => [`${run.attribution_id}/${run.class}`, Number(run.cut_at)]));
  };

  return async (table, body) => {
    const lines = linesOf(body);
    const ids = [...new Set(lines.map(({ attribution_id }) => attribution_id))];
    try {
      const [rules, cuts] = [await rulesOf(ids), await cutsOf(ids)];
      const now = clock();
      const before = (id: string, name: RetentionClass): number =>
        Math.max(
          now - keptDays(limits, rules.get(id) ?? {}, name) * DAY_MS + CLOCKS_CHANGE_MS,
          cuts.get(`${id}/${name}`) ?? 0,
        );
      return lines.flatMap((line, number) => {
        const name = table === 'events' ? 'events' : retentionClassOf(line.class ?? 'ai_bot');
        return line.at < before(line.attribution_id, name) ? [number] : [];
      });
    } catch (error) {
      log.warn({ err: error }, 'how long properties keep their rows could not be read; it is asked again');
      return [];
    }
  };
}

function linesOf(body: Uint8Array): Line[] {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}
