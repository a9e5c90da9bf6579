import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { DatabaseUnwritable } from '../database/index.ts';
import type { Closure } from '../spool/index.ts';
import { type ReadinessChecks, readiness } from './health.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'ghostlight-health-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const well = async (): Promise<void> => undefined;
const ask = (checks: Partial<ReadinessChecks>, forOperator = true) =>
  readiness(
    { spool: () => null, durability: 'node', database: well, warehouse: well, dataDir, ...checks },
    forOperator,
  );
const closure = (parts: Partial<Closure>): Closure => ({
  ...{
    store: 'file',
    kind: 'disk',
    path: join(dataDir, 'hits.spool'),
    said: 'database or disk is full',
    bytes: 0,
  },
  maxBytes: 4 * 1024 ** 3,
  ...parts,
});

it('is ready where nothing is wrong, and gives no reasons', async () => {
  expect(await ask({})).toEqual({
    status: 'ready',
    checks: { spool: 'ok', database: 'ok', warehouse: 'ok' },
    acknowledged_on: 'node',
  });
});

it.each<[string, Closure | 'drained', readonly RegExp[]]>([
  ['a full disk', closure({}), [/hits\.spool/, /is full/, /of .+ are free/, /Free up space/]],
  [
    'a failing disk',
    closure({ said: 'disk I/O error' }),
    [/hits\.spool/, /disk I\/O error/, /Check the disk/],
  ],
  [
    'a full spool',
    closure({ kind: 'full', said: null, bytes: 4.5 * 1024 ** 3 }),
    [/hits\.spool/, /4\.5 GiB of at most 4 GiB/, /SPOOL_MAX_BYTES/],
  ],
  ['a slow disk', closure({ kind: 'busy', said: null }), [/hits\.spool/, /faster/]],
  ['a drained node', 'drained', [/spool drain/, /Restart/]],
  [
    'a PostgreSQL server that is down',
    closure({
      store: 'postgres',
      path: 'PostgreSQL at db:5432/ghost',
      said: 'PostgreSQL: connect ECONNREFUSED',
    }),
    [/PostgreSQL at db:5432\/ghost/, /ECONNREFUSED/, /as soon as it answers/],
  ],
  [
    'a PostgreSQL server whose disk is full',
    closure({ store: 'postgres', path: 'PostgreSQL at db/ghost', said: 'No space left on device' }),
    [/PostgreSQL at db\/ghost/, /disk .* is full/, /Free up space/],
  ],
  [
    'a PostgreSQL server that is slow',
    closure({ store: 'postgres', path: 'PostgreSQL at db/ghost', kind: 'busy', said: null }),
    [/PostgreSQL at db\/ghost/, /faster/],
  ],
  [
    'a full spool in PostgreSQL',
    closure({
      store: 'postgres',
      path: 'PostgreSQL at db/ghost',
      kind: 'full',
      said: null,
      bytes: 5 * 1024 ** 3,
    }),
    [/PostgreSQL at db\/ghost/, /5 GiB of at most 4 GiB/, /SPOOL_MAX_BYTES/],
  ],
])('tells an operator of %s: where it is and what to do', async (_name, spool, words) => {
  const { status, checks, reasons } = await ask({ spool: () => spool });
  expect([status, checks.spool]).toEqual(['unavailable', 'failing']);
  for (const word of words) expect(reasons?.spool).toMatch(word);
});

it('tells unauthenticated clients the kind of problem, and no path', async () => {
  const full = await ask({ spool: () => closure({}) }, false);
  expect(full.reasons?.spool).toMatch(/disk of its spool is full/);
  const unwritable = async () => {
    throw new DatabaseUnwritable({ cause: null });
  };
  const database = await ask({ database: unwritable }, false);
  expect(database.reasons?.database).toMatch(/full, read-only or failing/);
  expect(JSON.stringify([full, database])).not.toContain(dataDir);
  expect((await ask({ database: unwritable })).reasons?.database).toContain(dataDir);
});
