/** What a COMMIT of this server means: whose disk has the rows when the sender gets its 2xx. Settings of the server; asked, never changed. */
import type pg from 'pg';
import type { Durability } from '../types.ts';

interface Settings {
  readonly commit: string;
  readonly standbys: string;
  readonly fsync: string;
}

export async function durabilityOf(client: pg.Client): Promise<Durability> {
  const { rows } = await client.query<Settings>(
    `SELECT current_setting('synchronous_commit') AS commit, current_setting('synchronous_standby_names') AS standbys,
       current_setting('fsync') AS fsync`,
  );
  return durabilityBy(rows[0] ?? { commit: 'off', standbys: '', fsync: 'off' });
}

export function durabilityBy({ commit, standbys, fsync }: Settings): Durability {
  if (commit === 'off' || fsync === 'off') return 'memory';
  return commit === 'local' || standbys.trim() === '' ? 'server' : 'standby';
}
