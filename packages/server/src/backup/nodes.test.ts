/** What a backup says of the spools that it can't have. */
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../database/index.ts';
import { openTestDatabases, silentLog, type TestDatabase } from '../database/testing.ts';
import type { SpoolStats } from '../spool/index.ts';
import { announceSpools, spoolsElsewhere } from './nodes.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());
const START = Date.UTC(2026, 10, 22, 12);

describe.each(databases.backends)('spools of other nodes on $name', (backend) => {
  let now = START;
  let home: TestDatabase;
  let db: Database;
  beforeEach(async () => {
    now = START;
    home = await backend.fresh({ clock: () => now });
    db = await home.node();
  });
  afterEach(() => home.remove());

  const announce = (
    node: string,
    spools: { pendingRows: number }[],
    database: Pick<Database, 'kysely'> = db,
  ) =>
    announceSpools(
      database,
      spools.map((state) => ({ stats: () => state as SpoolStats })),
      { node, name: `${node}.example`, clock: () => now, log: silentLog },
    );
  const elsewhere = async (node = 'a') =>
    (await spoolsElsewhere(db, node, now)).map(({ name, waiting, running }) => [name, waiting, running]);

  it('are named while they run, with what waits in all of a node, and its own is not', async () => {
    const [hits, events] = [{ pendingRows: 4 }, { pendingRows: 1 }];
    const notices = [
      announce('a', [hits]),
      announce('b', [hits, events]),
      announce('c', [{ pendingRows: 0 }]),
    ];
    await expect.poll(() => elsewhere('none')).toHaveLength(3);
    expect((await elsewhere()).sort()).toEqual([
      ['b.example', 5, true],
      ['c.example', 0, true],
    ]);
    expect(await spoolsElsewhere(db, 'a', now)).toContainEqual({
      ...{ node_id: 'b', name: 'b.example', waiting: 5, running: true, stopped: false },
      seen_at: '2026-11-22T12:00:00.000Z',
    });
    // Killed, both of them: what waited in one is still there, and the other may have taken hits after its last report.
    now += 4 * MINUTE_MS;
    expect((await elsewhere()).sort()).toEqual([
      ['b.example', 5, false],
      ['c.example', 0, false],
    ]);
    now += 30 * DAY_MS;
    expect(await elsewhere()).toEqual([]);
    now = START;
    expect(await elsewhere(), 'they are forgotten').toEqual([]);
    for (const notice of notices) await notice.close();
  });

  it('of a node that stops are named if something waits in them', async () => {
    const [full, empty] = [announce('b', [{ pendingRows: 7 }]), announce('c', [{ pendingRows: 0 }])];
    now += MINUTE_MS;
    await full.close();
    await empty.close();
    expect(await spoolsElsewhere(db, 'a', now)).toMatchObject([
      { node_id: 'b', waiting: 7, seen_at: '2026-11-22T12:01:00.000Z', running: false, stopped: true },
    ]);
  });

  it('that can’t be announced hinder nothing', async () => {
    const other = await home.node();
    await other.close();
    await announce('b', [{ pendingRows: 7 }], other).close();
    expect(await elsewhere()).toEqual([]);
  });
});
