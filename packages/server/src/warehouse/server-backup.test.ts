import { expect, it } from 'vitest';
import { restoreServer } from './server-backup.ts';

/** A server as far as a restore asks it: tables with their rows, and a copy that was stored. */
function serverWith(standing: Readonly<Record<string, number>>, copy: Readonly<Record<string, number>>) {
  const tables = new Map(Object.entries(standing));
  return {
    tables,
    async command({ sql }: { readonly sql: string }) {
      const [, from = '', to = ''] = /^RENAME TABLE (\w+) TO (\w+)/.exec(sql) ?? [];
      if (from !== '') {
        tables.set(to, tables.get(from) ?? 0);
        tables.delete(from);
      }
      if (sql.startsWith('RESTORE ')) for (const [name, rows] of Object.entries(copy)) tables.set(name, rows);
    },
    async rows<T>(_kind: unknown, { sql }: { readonly sql: string }): Promise<T[]> {
      const [, counted = ''] = /count\(\)\) AS n FROM (\w+)/.exec(sql) ?? [];
      if (counted !== '') return [{ n: String(tables.get(counted)) }] as T[];
      if (sql.includes('system.backups')) return [{ status: 'RESTORED', error: '' }] as T[];
      return [...tables.keys()].map((name) => ({ name, create: '' })) as T[];
    },
  };
}

const COPY = { database: 'old', storedAt: "Disk('backups', 'one')", tables: ['hits', 'events'] };

it('a restored copy that its reader refuses gives the server’s own tables their names back', async () => {
  const server = serverWith({ hits: 7, other: 1 }, { hits: 3, events: 2 });
  const counts: unknown[] = [];
  const refused = restoreServer(server, COPY, 'aside', (rows) => {
    counts.push(Object.fromEntries(rows));
    throw new Error('Too few rows');
  });
  await expect(refused).rejects.toThrow('Too few rows');
  expect(counts).toEqual([{ hits: 3, events: 2 }]);
  expect(Object.fromEntries(server.tables)).toEqual({
    ...{ hits: 7, other: 1, failed_aside_hits: 3, failed_aside_events: 2 },
  });
});

it('a restored copy that its reader takes stands, and what was there is aside', async () => {
  const server = serverWith({ hits: 7 }, { hits: 9, events: 2 });
  await restoreServer(server, COPY, 'aside', () => undefined);
  expect(Object.fromEntries(server.tables)).toEqual({ aside_hits: 7, hits: 9, events: 2 });
});
