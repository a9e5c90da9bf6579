/** The states of a delivery, and what they come to in sums: every delivery is in exactly one of the groups. */
import { type SqlBool, sql } from 'kysely';
import type { Row } from '../database/index.ts';

export const STATES = [
  ...(['pending', 'sending', 'retry', 'accepted_async'] as const),
  ...(['delivered', 'dead', 'skipped', 'unknown'] as const),
] as const;
export type State = Row<'deliveries'>['state'];

/** On its way: nothing has been heard of it that counts. */
export const WAITING = ['pending', 'sending', 'retry'] as const satisfies readonly State[];
/** Not over: whatever takes a delivery out of the loop's hands starts from these. */
export const OPEN = [...WAITING, 'accepted_async'] as const satisfies readonly State[];

/** As the partial index `deliveries_due` spells it: with bound values SQLite would not use it, and read all that is over. */
export const isDue = () => sql<SqlBool>`deliveries.state in ('pending', 'retry', 'accepted_async')`;

const GROUPS = {
  pending: 'waiting',
  sending: 'waiting',
  retry: 'waiting',
  accepted_async: 'accepted',
  delivered: 'delivered',
  dead: 'dead',
  skipped: 'skipped',
  unknown: 'unknown',
} as const satisfies Record<State, string>;

export const groupOf = (state: State): (typeof GROUPS)[State] => GROUPS[state];
