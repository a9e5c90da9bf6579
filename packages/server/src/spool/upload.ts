/** An upload as its reader sees it: rows gather here and are staged in small pieces, so that neither memory nor a transaction grows with it. */
import type { Clock } from '../common/index.ts';
import { checkAddsUp, checkRows, Deltas, RowPacker } from './pack.ts';
import type { Conflict, UploadStore } from './port.ts';
import type { Endpoint, SpoolRow, SpoolUpload } from './types.ts';

/** A piece is staged above either: larger ones hold up single hits for longer than their fsync (measured: 5,000 keyed rows, 100 ms). */
const PIECE_ROWS = 512;
const PIECE_CHARACTERS = 1024 * 1024;

interface UploadDependencies {
  readonly endpoint: Endpoint;
  readonly id: number;
  readonly store: UploadStore;
  readonly clock: Clock;
  /** @throws SpoolWriteError when the spool is full */
  readonly checkRoom: () => void;
  readonly onCommitted: () => void;
}

export function createUpload({
  endpoint,
  id,
  store,
  clock,
  checkRoom,
  onCommitted,
}: UploadDependencies): SpoolUpload {
  let packer = new RowPacker();
  let ended = false;
  const kept = new Deltas();
  let rows = 0;
  const duplicates = new Map<string, number>();
  const isDuplicate = (label: string): void => {
    duplicates.set(label, (duplicates.get(label) ?? 0) + 1);
  };
  const sumOfDuplicates = (): number => duplicates.values().reduce((sum, count) => sum + count, 0);

  const stagePiece = async (): Promise<void> => {
    if (packer.rows === 0) return;
    checkRoom();
    const packed = packer.finish();
    packer = new RowPacker();
    const conflicts: readonly Conflict[] = await store.stage({ upload: id, rows: packed, at: clock() });
    for (const { label } of conflicts) {
      isDuplicate(label);
      kept.add(`kept|${endpoint}|${label}`, -1);
    }
  };

  return {
    async stage(added: readonly SpoolRow[]) {
      checkRows(added);
      for (const row of added) {
        // Aborted while a piece was staged: of another piece, no abort would come any more.
        if (ended) throw new Error('The upload has ended');
        packer.add(row, 0);
        rows += 1;
        kept.add(`kept|${endpoint}|${row.label}`, 1);
        if (packer.rows >= PIECE_ROWS || packer.characters >= PIECE_CHARACTERS) await stagePiece();
      }
    },
    async commit(tally, { scope, hex }) {
      if (ended) throw new Error('The upload has ended');
      checkAddsUp(tally, rows);
      await stagePiece();
      const staged = sumOfDuplicates();
      const counters = new Deltas();
      counters.addCounts(tally);
      counters.add(`duplicate|${endpoint}`, staged);
      for (const [name, count] of kept.list()) counters.add(name, count);
      const { quarantine, received } = tally;
      const late = await store.commit({
        upload: id,
        scope,
        hex,
        endpoint,
        received,
        rows: rows - staged,
        counters: counters.list(),
        quarantine,
        at: clock(),
      });
      ended = true;
      if (late === 'already_taken') return late;
      onCommitted();
      for (const { label } of late) isDuplicate(label);
      const duplicate = sumOfDuplicates();
      return { kept: rows - duplicate, duplicate, duplicatesOf: duplicates };
    },
    async takenElsewhere({ received }) {
      if (ended) throw new Error('The upload has ended');
      ended = true;
      packer = new RowPacker();
      await store.takenElsewhere({ upload: id, endpoint, received });
    },
    async abort() {
      if (ended) return;
      ended = true;
      packer = new RowPacker();
      await store.abort(id);
    },
  };
}
