import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase } from '../index.ts';
import { silentLog } from '../testing.ts';

it('brings the log back into the file while others write, and lets go of it at the end', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ghostlight-checkpoints-'));
  const size = (name: string) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0;
  const open = () => openDatabase({ url: null, dataDir, log: silentLog });
  try {
    const db = await open();
    await sql`create table filler (text text)`.execute(db.kysely);
    const write = async () => sql`insert into filler values (hex(randomblob(100000)))`.execute(db.kysely);
    while (size('state.sqlite-wal') < 6 * 1024 ** 2) await write();
    // No commit did it: they leave the log alone up to 64 MiB.
    expect(size('state.sqlite')).toBeLessThan(1024 ** 2);
    await expect
      .poll(
        async () => {
          await write();
          return size('state.sqlite');
        },
        { timeout: 15_000 },
      )
      .toBeGreaterThan(5 * 1024 ** 2);
    const rows = async (from: typeof db) =>
      (await sql<{ n: number }>`select count(*) as n from filler`.execute(from.reader)).rows[0]?.n;
    const written = await rows(db);
    await db.close();
    expect(size('state.sqlite-wal')).toBe(0);
    const again = await open();
    expect(await rows(again)).toBe(written);
    await again.close();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
