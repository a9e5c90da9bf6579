/** Stores that wait for the disk only when they close are for data that can be rebuilt; every other waits for each commit. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { audit, openDatabase } from '../database/index.ts';
import { openSpool } from '../spool/index.ts';
import { entry, row, silent } from '../spool/testing.ts';

const directory = mkdtempSync(join(tmpdir(), 'ghostlight-durability-'));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const [OFF, FULL] = [0, 2];

it('a state database says in which way it writes, and its log is empty after a close that wrote it back', async () => {
  const open = (durable?: boolean) =>
    openDatabase({
      ...{ url: null, dataDir: directory, log: silent },
      ...(durable === undefined ? {} : { durable }),
    });
  for (const [durable, expected] of [
    [false, OFF],
    [undefined, FULL],
  ] as const) {
    const database = await open(durable);
    const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(database.kysely);
    expect(rows).toEqual([{ synchronous: expected }]);
    await audit(database.kysely, {
      at: 1,
      actor: 'root',
      action: 'test',
      subject: 'x',
      organizationId: null,
    });
    await database.close();
  }
  expect(statSync(join(directory, 'state.sqlite-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  const again = await open();
  expect(await again.reader.selectFrom('audit_log').select('id').execute()).toHaveLength(2);
  await again.close();
});

it('a spool holds after its close what it took without waiting', async () => {
  const open = (durable: boolean) =>
    openSpool({ directory, maxBytes: 1e9, durable, clock: Date.now, log: silent });
  const quick = await open(false);
  await quick.append(entry([row(1), row(2)]));
  await quick.close();
  const again = await open(true);
  expect(again.stats().pendingRows).toBe(2);
  await again.close();
});
