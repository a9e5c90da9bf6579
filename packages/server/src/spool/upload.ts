/** One upload, seen from the main thread: rows gather here and are staged in bounded pieces, so memory does not grow with the upload. */
import type { Clock } from '../kit/index.ts';
import type { Conflict } from './messages.ts';
import { checkAddsUp, Deltas, RowPacker } from './pack.ts';
import type { RemoteStore } from './remote.ts';
import type { Source, SpoolRow, SpoolUpload } from './types.ts';

/** Rows of an upload gathered before they are staged. The file's thread is busy with one piece for some milliseconds, and single posts wait. */
const STAGE_ROWS = 1_000;

/**
 * @param id unlike any other of this process
 * @param onCommitted told when rows became visible to the shipper
 */
export function createUpload(
  endpoint: Source,
  id: number,
  call: RemoteStore['call'],
  clock: Clock,
  onCommitted: () => void,
): SpoolUpload {
  let packer = new RowPacker();
  let isOpen = true;
  const kept = new Deltas();
  let rows = 0;
  let duplicate = 0;

  const leaveOut = (conflicts: readonly Conflict[]): void => {
    duplicate += conflicts.length;
    for (const { label } of conflicts) kept.add(`kept|${endpoint}|${label}`, -1);
  };
  const flush = async (): Promise<void> => {
    if (packer.rows === 0) return;
    const { rows: packed, transfer } = packer.finish();
    packer = new RowPacker();
    leaveOut(await call('stage', [{ upload: id, rows: packed, at: clock() }], transfer));
  };

  return {
    async stage(added: readonly SpoolRow[]) {
      for (const row of added) {
        packer.add(row, 0);
        kept.add(`kept|${endpoint}|${row.label}`, 1);
      }
      rows += added.length;
      if (packer.rows >= STAGE_ROWS) await flush();
    },
    async commit(tally, { scope, hex }) {
      checkAddsUp(tally, rows);
      await flush();
      const counters = new Deltas();
      counters.addTally(tally);
      counters.add(`duplicate|${endpoint}`, duplicate);
      for (const [name, count] of kept.list()) counters.add(name, count);
      isOpen = false;
      const late = await call('commit', [
        {
          upload: id,
          scope,
          hex,
          endpoint,
          received: tally.received,
          rows: rows - duplicate,
          counters: counters.list(),
          quarantine: tally.quarantine,
          at: clock(),
        },
      ]);
      if (late === 'already_taken') return late;
      onCommitted();
      const duplicates = duplicate + late.length;
      return { kept: rows - duplicates, duplicate: duplicates };
    },
    async takenElsewhere({ received }) {
      isOpen = false;
      packer = new RowPacker();
      await call('takenElsewhere', [{ upload: id, endpoint, received }]);
    },
    async abort() {
      if (!isOpen) return;
      isOpen = false;
      packer = new RowPacker();
      await call('abort', [id]);
    },
  };
}
