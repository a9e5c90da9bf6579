/**
 * Hits that another node has already stored. A node's spool knows the rays of its own last 48 hours; where several nodes share a warehouse,
 * a visit may reach two of them (a retry, or a zone with both collector and log push). Asked before a batch's first insert; two nodes
 * that ship the same ray in the same instant both get through, everything further apart is found. On replicas that instant is as long as an insert
 * whose answer was lost may still run (50 s): a retry then leaves out what another node has stored, and the first attempt may land after all, with
 * that ray in it; token and quorum let one of the two stand, so nothing else is doubled. To close it each doubtful batch would have to wait that long.
 */
import { HOUR_MS } from '@ghostlight/core/time';
import type { Warehouse } from './warehouse.ts';

/** Redeliveries come within this time; the spool remembers as long. */
const REMEMBER_MS = 48 * HOUR_MS;
/** Ids in one question: a batch of 4 MiB holds some thousands, and a server takes 128 KiB for one parameter. */
const IDS_PER_QUERY = 1_000;

interface RayLine {
  readonly line: number;
  readonly id: string;
  readonly attributionId: string;
  /** Epoch milliseconds of the visit. */
  readonly at: number;
}

/** @returns numbers of the batch's lines whose hit is in another batch; ascending */
export async function storedElsewhere(
  warehouse: Warehouse,
  batch: { readonly id: string; readonly body: Uint8Array },
): Promise<number[]> {
  return await stored(warehouse, batch.id, rayLines(batch.body), (params) => {
    params['since'] = warehouse.clock() - REMEMBER_MS;
    return 'h.received_at > fromUnixTimestamp64Milli({since:Int64})';
  });
}

/** How a row of an import names its source. */
const IMPORTED = Buffer.from('"source":"import"');

/**
 * Past visits may be imported again after years, from files that were followed when they were written: they are looked up as long as hits
 * are kept, on one node too.
 * @returns numbers of the imported lines whose hit is stored already; ascending
 */
export async function storedBefore(
  warehouse: Warehouse,
  batch: { readonly id: string; readonly body: Uint8Array },
): Promise<number[]> {
  const body = Buffer.from(batch.body.buffer, batch.body.byteOffset, batch.body.byteLength);
  if (!body.includes(IMPORTED)) return [];
  const imported = rayLines(body, 'import').sort((a, b) => a.at - b.at);
  const found = await stored(warehouse, batch.id, imported, (params, piece) => {
    params['from'] = piece[0]?.at ?? 0;
    params['to'] = piece.at(-1)?.at ?? 0;
    return 'h.at >= fromUnixTimestamp64Milli({from:Int64}) AND h.at <= fromUnixTimestamp64Milli({to:Int64})';
  });
  return found.sort((a, b) => a - b);
}

/** @param within a condition on when the hits were, and its parameters */
async function stored(
  warehouse: Warehouse,
  batch: string,
  lines: readonly RayLine[],
  within: (params: Record<string, number>, piece: readonly RayLine[]) => string,
): Promise<number[]> {
  const found: number[] = [];
  for (let from = 0; from < lines.length; from += IDS_PER_QUERY) {
    const piece = lines.slice(from, from + IDS_PER_QUERY);
    const times: Record<string, number> = {};
    const when = within(times, piece);
    const rows = await warehouse.rows<{ property: string; id: string }>('write', {
      sql: `SELECT DISTINCT h.attribution_id AS property, h.id AS id FROM hits AS h
WHERE h.attribution_id IN {properties:Array(UUID)} AND h.id IN {ids:Array(UUID)}
  AND ${when} AND h.batch != {batch:UUID}`,
      params: {
        properties: [...new Set(piece.map(({ attributionId }) => attributionId))],
        ids: piece.map(({ id }) => id),
        batch,
        ...times,
      },
      settings: { max_execution_time: 30 },
    });
    const known = new Set(rows.map(({ property, id }) => `${property}/${id}`));
    found.push(
      ...piece.filter(({ attributionId, id }) => known.has(`${attributionId}/${id}`)).map(({ line }) => line),
    );
  }
  return found;
}

/** The lines whose id was derived from a ray: only those can be the same hit. @param of a source; absent: of all */
function rayLines(body: Uint8Array, of?: string): RayLine[] {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('utf8')
    .split('\n')
    .flatMap((text, line) => {
      if (!text.includes('"ray_id":"')) return [];
      const { id, attribution_id, ray_id, at, source } = JSON.parse(text) as Record<string, unknown>;
      if (of !== undefined && source !== of) return [];
      return typeof id === 'string' &&
        typeof attribution_id === 'string' &&
        typeof ray_id === 'string' &&
        ray_id !== ''
        ? [{ line, id, attributionId: attribution_id, at: Number(at) }]
        : [];
    });
}
