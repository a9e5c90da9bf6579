/** One change of a property at a time on this node; nodes among each other are told apart by what they find in the database. */
import { ServiceError } from '../common/index.ts';

/** People press a button twice; a hundred waiting changes of one property are no people. */
const MAX_WAITING = 100;

/** @throws ServiceError `rate_limited` when too many wait */
export type Turns = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createTurns(): Turns {
  const lines = new Map<string, { last: Promise<unknown>; waiting: number }>();
  return async (name, work) => {
    const line = lines.get(name) ?? { last: Promise.resolve(), waiting: 0 };
    if (line.waiting >= MAX_WAITING)
      throw new ServiceError(
        'rate_limited',
        'Too many changes to this manifest are waiting; try again shortly.',
        {
          headers: { 'Retry-After': '1' },
        },
      );
    lines.set(name, line);
    line.waiting += 1;
    const turn = line.last.then(work);
    line.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      line.waiting -= 1;
      if (line.waiting === 0) lines.delete(name);
    }
  };
}
