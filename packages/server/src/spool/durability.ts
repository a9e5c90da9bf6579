import type { Durability } from './types.ts';

/** One sentence for the log, readiness and `ghostlight doctor`. */
export const DURABILITY_SENTENCES: Readonly<Record<Durability, string>> = {
  node: 'An acknowledged hit is on the disk of this node.',
  memory:
    'PostgreSQL answers a COMMIT before it is on disk (synchronous_commit or fsync is off): acknowledged hits are lost when the server fails.',
  server:
    'An acknowledged hit is on the disk of the PostgreSQL server. No standby confirms it (synchronous_standby_names is empty, or synchronous_commit is local): it is lost with that disk.',
  standby: 'A standby of PostgreSQL confirms every acknowledged hit.',
};
