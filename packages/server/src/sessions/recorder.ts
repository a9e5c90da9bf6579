/**
 * The two stages behind the first spool. Stage one records accepted events in the database and hands the rows of those that are new to the
 * second spool; stage two ships these to the warehouse as hits are shipped. So sessions are there within moments, whatever the warehouse
 * does, and both stores have each event once:
 *
 * - killed before the transaction's commit: the batch comes again, nothing was there;
 * - killed between commit and second spool: the batch comes again, its events are known by their receipt as its own, and go on now;
 * - killed between second spool and the batch's end: the same, and the second spool knows the rows by their ids.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type Log, UnstorableError } from '../common/index.ts';
import type { Batch, BatchSink, Spool, SpoolRow } from '../spool/index.ts';
import type { AcceptedEvent } from './accepted.ts';
import type { EventStore, SessionsDeps } from './ports.ts';
import { erasedSince, type Recorded, record } from './record.ts';

/** Events in one transaction: on SQLite all others wait for it, the request handlers of this process included. */
const SLICE = 200;

export interface RecorderDeps
  extends Pick<SessionsDeps, 'database' | 'onVisitors' | 'onBrowserConversion' | 'lateRows'> {
  readonly rows: Pick<Spool, 'append'>;
  readonly toRow: EventStore['toRow'];
  readonly log: Log;
}

/** The sink of the first spool. */
export function createRecorder({
  database,
  rows,
  toRow,
  onVisitors,
  onBrowserConversion,
  lateRows,
  log,
}: RecorderDeps): BatchSink {
  const recordSlice = async (events: readonly AcceptedEvent[]): Promise<void> => {
    const recorded = await database.kysely
      .transaction()
      .execute((trx) => record(trx, events, onBrowserConversion))
      .catch((error: unknown) => {
        // No retry can fix it: a property that a restored backup doesn't know, say.
        throw error instanceof Error && database.adapter.refusesRows(error)
          ? new UnstorableError('The database refused it', { cause: error })
          : error;
      });
    // At once, before a step that may fail; when the batch is repeated they are announced once more, which changes nothing.
    if (recorded.touched.length > 0) await tell(recorded.touched);
    await passOn(recorded, events.length);
  };

  const tell = async (touched: Recorded['touched']): Promise<void> => {
    // What hangs on it also looks by itself from time to time: a failure must not record the events again.
    await onVisitors(touched).catch((error: unknown) =>
      log.warn({ err: error }, 'new touches could not be announced; late matches wait for the next sweep'),
    );
  };

  const passOn = async ({ onward, repeated, erased }: Recorded, received: number): Promise<void> => {
    await rows.append({
      endpoint: 'browser',
      received,
      rows: onward.map((event): SpoolRow => {
        const { row } = event;
        return {
          line: toRow(row),
          month: monthOf(row.at),
          dedupKey: row.id,
          label: row.sdk_bot ? 'sdk_bot' : 'event',
        };
      }),
      dropped: { repeated, erased },
      rejected: {},
      quarantine: [],
    });
  };

  return {
    async insert(batch: Batch) {
      const events = linesOf(batch.body).map(readLine);
      for (let from = 0; from < events.length; from += SLICE) {
        await recordSlice(events.slice(from, from + SLICE));
        // The embedded database answers without leaving this turn of the event loop: requests get theirs.
        await turn();
      }
    },
    // Recording twice is recording once: a doubtful batch is simply recorded again.
    repeatable: true,
    count: async () => 0,
    duplicates: lateRows,
  };
}

/** For the sink of the second spool: rows of visitors who were erased while they waited, and of properties that were deleted. */
export function createErasedFilter({ database, lateRows }: Pick<SessionsDeps, 'database' | 'lateRows'>) {
  return async (batch: { readonly body: Uint8Array }): Promise<number[]> => {
    const { body } = batch;
    const late = new Set(await lateRows(batch));
    const rows = linesOf(body).map((line) => JSON.parse(line) as AcceptedEvent['row']);
    const erasedUntil = await erasedSince(
      database.reader,
      Math.min(...rows.map(({ received_at }) => received_at)),
    );
    return rows.flatMap(({ attribution_id, visitor_id, received_at }, index) =>
      late.has(index) || received_at <= erasedUntil(attribution_id, visitor_id ?? '') ? [index] : [],
    );
  };
}

/** `YYYYMM`, as the warehouse's partitions. */
export function monthOf(at: number): string {
  return new Date(at).toISOString().slice(0, 7).replace('-', '');
}

function linesOf(body: Uint8Array): string[] {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

/** @throws UnstorableError: then the batch is halved until the line is alone, and goes to quarantine */
function readLine(line: string): AcceptedEvent {
  try {
    return JSON.parse(line) as AcceptedEvent;
  } catch (error) {
    throw new UnstorableError('not JSON', { cause: error });
  }
}
