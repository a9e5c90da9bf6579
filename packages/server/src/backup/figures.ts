/** The counters of a spool as a backup tells them, and the law that they obey. */
import type { SpoolCounters } from '../spool/index.ts';
import type { SpoolFigures } from './manifest.ts';

export function figuresOf(waiting: number, counters: SpoolCounters): SpoolFigures {
  const plain = (of: ReadonlyMap<string, number>) => [...of.values()].reduce((sum, count) => sum + count, 0);
  const labelled = (of: ReadonlyMap<string, ReadonlyMap<string, number>>) =>
    [...of.values()].reduce((sum, labels) => sum + plain(labels), 0);
  return {
    waiting,
    received: plain(counters.received),
    kept: labelled(counters.kept),
    dropped: labelled(counters.dropped),
    rejected: labelled(counters.rejected),
    duplicate: plain(counters.duplicate),
    stored: counters.stored,
    unstorable: counters.unstorable,
    late_duplicate: counters.lateDuplicate,
    lost: counters.lost,
  };
}

/** Whether everything that was received, and everything that was kept, is accounted for. */
export function addsUp(figures: SpoolFigures): boolean {
  const { received, kept, dropped, rejected, duplicate, stored, unstorable, late_duplicate, lost, waiting } =
    figures;
  return (
    received === kept + dropped + rejected + duplicate &&
    kept === stored + unstorable + late_duplicate + lost + waiting
  );
}
