/** The moment of a backup, and what its copy of the spool is compared with; the stores beside the spool are empty. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../database/index.ts';
import type { Spool, SpoolSnapshot } from '../spool/index.ts';
import { entry, row, silent, testSpool } from '../spool/testing.ts';
import type { Warehouse } from '../warehouse/index.ts';
import { createBackups } from './create.ts';

const root = mkdtempSync(join(tmpdir(), 'ghostlight-create-'));
const place = testSpool();
const never = new AbortController().signal;
let spool: Spool;

beforeAll(async () => {
  mkdirSync(join(root, 'backups'));
  spool = await place.open();
  await spool.append(entry([row(1), row(2)]));
});
afterAll(async () => {
  await spool.close();
  place.dispose();
  rmSync(root, { recursive: true, force: true });
});

const database = {
  async withLock(_name: string, run: () => Promise<void>) {
    await run();
    return true;
  },
  snapshot: async () => ({
    migration: 'none',
    async writeTo(directory: string) {
      writeFileSync(join(directory, 'state.sqlite'), '');
      return { files: ['state.sqlite'], tables: new Map() };
    },
    release: async () => undefined,
  }),
} as unknown as Database;

const warehouse = {
  rows: async (_lane: string, { sql }: { sql: string }) =>
    sql.includes('schema_migrations') ? [{ database: 'ghostlight', schema: 1 }] : [],
} as unknown as Warehouse;

function backups(clock: () => number, snapshot: () => Promise<SpoolSnapshot | null>) {
  return createBackups({
    ...{ version: '1.0.0', nodeId: 'node', dataDir: root, database, warehouse, clock, log: silent },
    kinds: { state: 'file', warehouse: 'embedded', spools: 'file' },
    urls: { state: null, spool: null },
    ...{ secretKeyId: 'key', secrets: () => ({ secret_key: null, admin_token: null }), spoolFormat: 1 },
    spools: { hits: { stats: () => spool.stats(), snapshot } as unknown as Spool },
    pauseShipping: async () => () => undefined,
  });
}

const make = (of: ReturnType<typeof backups>, name: string) =>
  of.create({ to: join(root, 'backups', name), passphrase: null }, () => undefined, never);

it('tells a moment before the first store is held, so that what was acknowledged until then is in it', async () => {
  let now = 1_000;
  let heldAt = 0;
  const { manifest } = await make(
    backups(
      () => now,
      async () => {
        heldAt = now;
        const snapshot = await spool.snapshot();
        now += 90;
        return snapshot;
      },
    ),
    'moment.tar.zst',
  );
  expect(Date.parse(manifest.created_at)).toBeLessThanOrEqual(heldAt);
  expect(manifest.spools.figures['hits']).toMatchObject({ kept: 2, waiting: 2 });
});

it('is refused, and there is no file, when the copy of a spool holds other rows than the spool held', async () => {
  const copies: [(snapshot: SpoolSnapshot) => SpoolSnapshot, string][] = [
    [(snapshot) => ({ ...snapshot, waiting: snapshot.waiting + 1 }), 'holds other rows'],
    [(snapshot) => ({ ...snapshot, counters: { ...snapshot.counters, stored: 7 } }), 'holds other rows'],
    [
      (snapshot) => ({
        ...snapshot,
        async copyTo(directory, signal) {
          const names = await snapshot.copyTo(directory, signal);
          writeFileSync(join(directory, 'hits.spool'), 'not a database'.repeat(100));
          return names;
        },
      }),
      'can’t be opened',
    ],
  ];
  for (const [changed, why] of copies) {
    const snapshot = async () => {
      const held = await spool.snapshot();
      return held === null ? null : changed(held);
    };
    await expect(make(backups(Date.now, snapshot), 'other.tar.zst')).rejects.toThrow(
      `The copy of the spool "hits" ${why}`,
    );
  }
  expect(readdirSync(join(root, 'backups'))).toEqual(['moment.tar.zst']);
  expect(readdirSync(root)).not.toContain('backup-staging');
});
