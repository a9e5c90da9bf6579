/** A warehouse for work that may be aborted: then it starts no further query, and running ones end. */
import type { Warehouse } from '../warehouse/index.ts';

export function untilAborted(warehouse: Warehouse, signal: AbortSignal | undefined): Warehouse {
  if (signal === undefined) return warehouse;
  return {
    ...warehouse,
    rows: async (lane, statement, own) => {
      signal.throwIfAborted();
      return await warehouse.rows(
        lane,
        statement,
        own === undefined ? signal : AbortSignal.any([own, signal]),
      );
    },
    command: async (statement, lane) => {
      signal.throwIfAborted();
      await warehouse.command(statement, lane);
    },
  };
}
