/**
 * Kills the embedded warehouse under insert, again and again, with the protocol the shipper follows: an attempt that was not answered is
 * counted before it is made again, under a fresh token.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { hitSink, type RowBatch, type Warehouse } from '../index.ts';
import { makeBatch, makeHit, newScope } from './warehouse.ts';

export interface KillReport {
  readonly kills: number;
  readonly batches: number;
  /** Batches whose answer a kill swallowed. */
  readonly unanswered: number;
  /** Of those, how many the count found stored: an insert without counting would have doubled or lost them. */
  readonly foundStored: number;
  readonly missing: number;
  readonly doubled: number;
}

const ROWS = 100;

/**
 * Each kill lands at a random moment of the inserts under way (up to 25 ms after they begin). An insert that is made again without counting
 * doubles a batch that was found stored; one that is not made again loses a batch that was not. So the rounds end once both have come
 * up often enough.
 * @param rounds the least and the most; `ofEach`: so many unanswered batches that were stored, and as many that were not
 */
export async function killRounds(
  warehouse: Warehouse,
  rounds: { readonly least: number; readonly most: number; readonly ofEach: number },
): Promise<KillReport> {
  const sink = hitSink(warehouse);
  const scope = newScope();
  const batches: RowBatch[] = [];
  let unanswered = 0;
  let foundStored = 0;
  let kills = 0;

  const store = async (first: RowBatch) => {
    let batch = first;
    for (let doubt = false; ; doubt = true) {
      try {
        if (doubt && (await sink.count(batch)) > 0) {
          foundStored += 1;
          return;
        }
        await sink.insert(batch);
        return;
      } catch {
        if (!doubt) unanswered += 1;
        batch = { ...batch, attempt: batch.attempt + 1 };
        await sleep(20);
      }
    }
  };

  const isEnough = () => Math.min(foundStored, unanswered - foundStored) >= rounds.ofEach;
  for (let round = 0; round < rounds.most && !(round >= rounds.least && isEnough()); round += 1) {
    const fresh = Array.from({ length: 3 }, () =>
      makeBatch(Array.from({ length: ROWS }, () => makeHit(scope, { path: `/${randomUUID()}` }))),
    );
    batches.push(...fresh);
    const inserts = (async () => {
      for (const batch of fresh) await store(batch);
    })();
    await sleep(Math.random() * 25);
    const pid = warehouse.pid();
    if (pid !== null) {
      process.kill(pid, 'SIGKILL');
      kills += 1;
    }
    await inserts;
  }

  const stored = new Map(
    (
      await warehouse.rows<{ batch: string; n: string }>('report', {
        sql: 'SELECT batch, toString(count()) AS n FROM hits WHERE attribution_id = {property:UUID} GROUP BY batch',
        params: { property: scope.attributionIds[0] },
      })
    ).map(({ batch, n }) => [batch, Number(n)]),
  );
  const counts = batches.map(({ id }) => stored.get(id) ?? 0);
  return {
    kills,
    batches: batches.length,
    unanswered,
    foundStored,
    missing: counts.reduce((sum, count) => sum + Math.max(0, ROWS - count), 0),
    doubled: counts.reduce((sum, count) => sum + Math.max(0, count - ROWS), 0),
  };
}
