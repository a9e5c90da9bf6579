/** While SECRET_KEY_PREVIOUS is set: what stands under it is sealed anew, so that the old secret can be dropped. Each room says where its sealed values are. */
import { SealError, type Sealer } from './secrets.ts';

const PAGE = 500;

/** A row that may hold a sealed value. */
export interface SealedRow {
  /** Rows are read in its order. */
  readonly id: string;
  readonly sealed: string | null;
}

export interface SealedRows<Row extends SealedRow> {
  /** Those after an id, in the order of their ids. */
  page(after: string, limit: number): Promise<readonly Row[]>;
  /** What the value was sealed for. */
  purposeOf(row: Row): string;
  /** Only where the old value still stands: somebody may have entered another meanwhile, or its time may have come. */
  store(row: Row, sealed: string): Promise<unknown>;
}

/** @returns how many were sealed anew; what neither key opens is left as it is */
export async function resealRows<Row extends SealedRow>(
  sealer: Sealer,
  { page, purposeOf, store }: SealedRows<Row>,
): Promise<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const rows = await page(after, PAGE);
    for (const row of rows) {
      const sealed = row.sealed === null ? null : resealed(sealer, row.sealed, purposeOf(row));
      if (sealed === null) continue;
      await store(row, sealed);
      count += 1;
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PAGE) return count;
  }
}

/** @returns null: it stands under the key of now already, or can't be opened */
function resealed(sealer: Sealer, sealed: string, purpose: string): string | null {
  if (!sealer.isStale(sealed)) return null;
  try {
    return sealer.seal(sealer.open(sealed, purpose), purpose);
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
