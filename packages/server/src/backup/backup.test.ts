/** A backup of a small installation: what is refused, and what is left behind by what goes wrong. Under load: tests/e2e/backup.test.ts. */
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readTar, TAR_END, tarHeader, tarPadding } from '../common/index.ts';
import { readConfig } from '../config.ts';
import { restore, verify } from '../restoration.ts';
import { createService, type Service } from '../service.ts';
import { offerWarehouse, SERVICE_RETENTION_DAYS } from '../warehouse/testing/warehouse.ts';
import type { BackupReport } from './create.ts';
import type { RestoreRequest } from './restore.ts';

const PASSPHRASE = 'correct horse battery';
const root = mkdtempSync(join(tmpdir(), 'ghostlight-backup-'));
const dataDir = join(root, 'data');
const file = join(root, 'backup.tar.zst');
const never = new AbortController().signal;
const quiet = () => undefined;

const configOf = (directory: string, more: Readonly<Record<string, string>> = {}) =>
  readConfig({ DATA_DIR: directory, LOG_LEVEL: 'silent', PORT: '0', LISTS_REFRESH: 'off', ...more });

let service: Service;
let report: BackupReport;

beforeAll(async () => {
  mkdirSync(dataDir);
  offerWarehouse(dataDir, SERVICE_RETENTION_DAYS);
  service = await createService(configOf(dataDir), { listen: false });
  report = await service.backups.create({ to: file, passphrase: PASSPHRASE }, quiet, never);
});
afterAll(async () => {
  await service.stop();
  rmSync(root, { recursive: true, force: true });
});

const asked = { passphrase: PASSPHRASE, withoutSecrets: false, replace: false };
let targets = 0;
const target = () => join(root, `target-${targets++}`);

/** The archive with one of its files changed. @param options.resums the checksums are those of what is in it */
async function altered(
  change: (name: string, body: Buffer) => Buffer | null,
  { resums = false } = {},
): Promise<string> {
  const parts: Buffer[] = [];
  const sha256: Record<string, string> = {};
  const source = (async function* () {
    yield zstdDecompressSync(readFileSync(file));
  })();
  for await (const { name, body } of readTar(source)) {
    const pieces: Buffer[] = [];
    for await (const piece of body) pieces.push(piece);
    const isLast = resums && name === 'checksums.json';
    const changed = isLast ? Buffer.from(JSON.stringify({ sha256 })) : change(name, Buffer.concat(pieces));
    if (changed !== null) sha256[name] = createHash('sha256').update(changed).digest('hex');
    if (changed !== null) parts.push(tarHeader(name, changed.length, 0), changed, tarPadding(changed.length));
  }
  const path = join(root, `altered-${targets++}.tar.zst`);
  writeFileSync(path, zstdCompressSync(Buffer.concat([...parts, TAR_END])));
  return path;
}

const inManifest = (change: (manifest: Record<string, unknown>) => void, options = {}) =>
  altered((name, body) => {
    if (name !== 'manifest.json') return body;
    const manifest = JSON.parse(body.toString()) as Record<string, unknown>;
    change(manifest);
    return Buffer.from(JSON.stringify(manifest));
  }, options);

describe('a backup', () => {
  it('is one file that only its owner reads, and leaves nothing else behind', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(report.size).toBe(statSync(file).size);
    expect(readdirSync(dataDir)).not.toContain('backup-staging');
    expect(existsSync(join(dataDir, 'warehouse/shadow/ghostlight_backup'))).toBe(false);
    expect(readdirSync(root).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it('has no secret in it that could be read', () => {
    const key = readFileSync(join(dataDir, 'secret-key'), 'utf8').trim();
    const content = zstdDecompressSync(readFileSync(file));
    expect(content.includes(key)).toBe(false);
    expect(content.includes(service.adminToken)).toBe(false);
    expect(content.includes(PASSPHRASE)).toBe(false);
  });

  it('is whole, and says what it holds', async () => {
    const manifest = await verify(file, PASSPHRASE, quiet);
    expect(manifest).toEqual(report.manifest);
    expect(manifest.state.tables.length).toBeGreaterThan(40);
    expect(manifest.warehouse.tables.map(({ name }) => name)).toContain('hits');
    expect(Object.keys(manifest.spools.figures).sort()).toEqual(['event-rows', 'events', 'hits']);
  });

  it('is restored into an empty directory, with its secrets, and a service starts on it', async () => {
    const to = target();
    const restored = await restore(configOf(to), { ...asked, file }, quiet);
    expect(restored).toMatchObject({ moved_to: null, kept: null, needs_secret_key: false });
    for (const name of ['secret-key', 'admin-token', 'node-id']) {
      expect(readFileSync(join(to, name), 'utf8')).toBe(readFileSync(join(dataDir, name), 'utf8'));
      expect(statSync(join(to, name)).mode & 0o777).toBe(0o600);
    }
    expect(readdirSync(to)).not.toContain('restoring');
    const again = await createService(configOf(to), { listen: false, needsWarehouse: true });
    const answer = await again.fetch(
      new Request('http://x/readyz', { headers: { Authorization: `Bearer ${again.adminToken}` } }),
    );
    expect(await answer.json()).toMatchObject({ checks: { spool: 'ok', database: 'ok', warehouse: 'ok' } });
    await again.stop();

    // What is there is never overwritten, and never deleted.
    await expect(restore(configOf(to), { ...asked, file }, quiet)).rejects.toThrow(
      /holds data already.*--replace/,
    );
    mkdirSync(join(to, 'backups'));
    const replaced = await restore(configOf(to), { ...asked, file, replace: true }, quiet);
    expect(readdirSync(replaced.moved_to ?? '')).toEqual(
      expect.arrayContaining(['state.sqlite', 'spool', 'warehouse', 'secret-key']),
    );
    expect(readdirSync(to)).toEqual(expect.arrayContaining(['backups', 'state.sqlite', 'warehouse']));
  });
});

it('a check opens the stores as a restore does, and refuses what a restore would refuse', async () => {
  const asManifest = (change: (manifest: Record<string, unknown>) => void) =>
    inManifest(change, { resums: true });
  const inSpool = { figures: { ...report.manifest.spools.figures } };
  const hits = inSpool.figures['hits'];
  if (hits === undefined) throw new Error('there is no spool of hits');
  inSpool.figures['hits'] = { ...hits, kept: 7_000, waiting: 7_000 };
  const [first, ...others] = report.manifest.state.tables;
  const tables = [{ ...first, rows: 1_000_000 }, ...others];
  const paths = [
    [await asManifest(() => undefined), null],
    [
      await asManifest((manifest) => Object.assign(manifest['spools'] as object, inSpool)),
      /spool "hits" holds other rows/,
    ],
    [
      await asManifest((manifest) => Object.assign(manifest['state'] as object, { tables })),
      /of the state database has other rows/,
    ],
    [
      await altered((name, body) => (name === 'spool/hits.spool' ? Buffer.alloc(body.length, 7) : body), {
        resums: true,
      }),
      /spool "hits" of the backup can’t be opened/,
    ],
  ] as const;
  const rooms = join(root, 'rooms');
  mkdirSync(rooms);
  vi.stubEnv('TMPDIR', rooms);
  for (const [path, sentence] of paths) {
    const checked = verify(path, PASSPHRASE, quiet);
    if (sentence === null) await checked;
    else await expect(checked).rejects.toThrow(sentence);
    expect(readdirSync(rooms)).toEqual([]);
  }
  // Where there is no place for temporary files, the folder of the backup is one.
  vi.stubEnv('TMPDIR', join(root, 'no/where'));
  await verify(file, null, quiet);
  expect(readdirSync(root).filter((name) => name.includes('verify'))).toEqual([]);
  vi.unstubAllEnvs();
});

it('what was revoked since the backup stays revoked where the old state is at hand', async () => {
  const asking = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${service.adminToken}`, 'Content-Type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await (await service.fetch(new Request(`http://x/api/v1/${path}`, request))).json()) as {
      id: string;
    };
  };
  const { id: attribution_id } = await asking('properties', { name: 'Shop', domain: 'shop.example' });
  const { id } = await asking('ingest-keys', { name: 'Shop', provider: 'edge_worker', attribution_id });
  const held = join(root, 'held.tar.zst');
  await service.backups.create({ to: held, passphrase: PASSPHRASE }, quiet, never);
  const to = target();
  await restore(configOf(to), { ...asked, file: held }, quiet);

  // As a killed service leaves it: the newest changes are in the log beside the file.
  const state = join(to, 'state.sqlite');
  const database = new DatabaseSync(state);
  database.exec('PRAGMA journal_mode = WAL');
  database.prepare('UPDATE ingest_keys SET revoked_at = 5 WHERE id = ?').run(id);
  for (const end of ['', '-wal']) cpSync(`${state}${end}`, join(root, `killed${end}`));
  database.close();
  for (const end of ['', '-wal']) cpSync(join(root, `killed${end}`), `${state}${end}`);

  const { kept } = await restore(configOf(to), { ...asked, file: held, replace: true }, quiet);
  expect(kept).toEqual({ deletions: 0, erasures: 0, revocations: 1, removals: 0 });
  expect(readdirSync(to).filter((name) => name.startsWith('state.'))).toEqual(['state.sqlite']);
  const restored = new DatabaseSync(state);
  expect(restored.prepare('SELECT id, revoked_at FROM ingest_keys').all()).toEqual([{ id, revoked_at: 5 }]);
  restored.close();

  // What can't be read is no reason not to restore.
  writeFileSync(state, 'not a database');
  const blind = await restore(configOf(to), { ...asked, file: held, replace: true }, quiet);
  expect(blind.kept).toBeNull();
});

describe('a restore is refused, and leaves the directory empty,', () => {
  const refused = async (
    path: string,
    sentence: RegExp,
    more: Partial<RestoreRequest> = {},
    environment: Readonly<Record<string, string>> = {},
  ) => {
    const to = target();
    await expect(
      restore(configOf(to, environment), { ...asked, file: path, ...more }, quiet),
    ).rejects.toThrow(sentence);
    expect(readdirSync(to).filter((name) => name !== 'lock')).toEqual([]);
  };

  it('where the passphrase is wrong or missing', async () => {
    await refused(file, /passphrase is not the one/, { passphrase: 'another horse battery' });
    await refused(file, /Give the passphrase/, { passphrase: null });
  });

  it('where SECRET_KEY is another one', async () => {
    await refused(file, /SECRET_KEY differs/, {}, { SECRET_KEY: 'k'.repeat(40) });
  });

  it('where a byte of the file was flipped, wherever it is', async () => {
    const whole = readFileSync(file);
    for (let turn = 0; turn < 6; turn += 1) {
      const path = join(root, 'flipped.tar.zst');
      const flipped = Buffer.from(whole);
      const at = Math.floor((flipped.length * turn) / 6);
      flipped[at] = (flipped[at] ?? 0) ^ 0x10;
      writeFileSync(path, flipped);
      await expect(verify(path, null, quiet), `byte ${at}`).rejects.toThrow(/damaged|no backup/);
    }
    await refused(join(root, 'flipped.tar.zst'), /damaged/);
  });

  it('where it was cut off, wherever', async () => {
    const whole = readFileSync(file);
    const ends = [0, whole.length / 2, whole.length * 0.999, whole.length - 4, whole.length - 1];
    for (const end of ends.map(Math.floor)) {
      const path = join(root, 'cut.tar.zst');
      writeFileSync(path, whole.subarray(0, end));
      await refused(path, /damaged or cut off/);
    }
  });

  it('where a file of it is another one, or missing, though every layer around it is whole', async () => {
    const state = await altered((name, body) => {
      if (name === 'state/state.sqlite') body[5_000] = (body[5_000] ?? 0) ^ 1;
      return body;
    });
    await refused(state, /state\/state\.sqlite is not what was written/);
    await refused(await altered((name, body) => (name === 'spool/hits.spool' ? null : body)), /damaged/);
    await refused(await altered((name, body) => (name === 'checksums.json' ? null : body)), /cut off/);
    await refused(
      await inManifest((manifest) => Object.assign(manifest, { bytes: 1 })),
      /manifest\.json is not/,
    );
  });

  it('where a newer version made it', async () => {
    await refused(
      await inManifest((manifest) => Object.assign(manifest, { format: 2, version: '9.0.0' })),
      /9\.0\.0 in format.*Install 9\.0\.0/,
    );
    for (const change of [
      (manifest: Record<string, unknown>) =>
        Object.assign(manifest['state'] as object, { migration: '9999-x' }),
      (manifest: Record<string, unknown>) =>
        Object.assign(manifest['warehouse'] as object, { schema: 9_999 }),
      (manifest: Record<string, unknown>) => Object.assign(manifest['spools'] as object, { format: 99 }),
    ])
      await refused(await inManifest(change), /which is older: its .* Install /);
  });

  it('where the settings name another kind of store', async () => {
    const secrets = { SECRET_KEY: 'k'.repeat(32), ADMIN_TOKEN: 't'.repeat(16) };
    await refused(
      file,
      /state database of this backup is in SQLite.*DATABASE_URL.*ghostlight move/,
      {},
      {
        ...secrets,
        DATABASE_URL: 'postgres://127.0.0.1:1/none',
      },
    );
    await refused(
      file,
      /warehouse of this backup.*CLICKHOUSE_URL/,
      {},
      { CLICKHOUSE_URL: 'http://127.0.0.1:1' },
    );
  });

  it('where it is something else', async () => {
    const path = join(root, 'other.tar.zst');
    writeFileSync(path, zstdCompressSync(Buffer.concat([tarHeader('a', 0, 0), TAR_END])));
    await refused(path, /no backup of Ghostlight/);
    await refused(join(root, 'nowhere.tar.zst'), /There is no file/);
    writeFileSync(path, randomBytes(5_000));
    await refused(path, /damaged or cut off/);
  });

  it('while a service runs there', async () => {
    await expect(restore(configOf(dataDir), { ...asked, file, replace: true }, quiet)).rejects.toThrow(
      /in use by the Ghostlight process/,
    );
  });
});

describe('making one', () => {
  const makeAt = (to: string, signal = never, passphrase: string | null = PASSPHRASE) =>
    service.backups.create({ to, passphrase }, quiet, signal);

  it('without secrets needs SECRET_KEY at the restore', async () => {
    const to = join(root, 'without.tar.zst');
    const { manifest } = await makeAt(to, never, null);
    expect(manifest.secrets).toBeNull();
    await expect(restore(configOf(target()), { ...asked, file: to }, quiet)).rejects.toThrow(
      /without its secrets/,
    );
    const SECRET_KEY = readFileSync(join(dataDir, 'secret-key'), 'utf8').trim();
    const place = target();
    const restored = await restore(configOf(place, { SECRET_KEY }), { ...asked, file: to }, quiet);
    expect(restored.needs_secret_key).toBe(false);
    expect(readdirSync(place)).not.toContain('secret-key');
    const without = await restore(configOf(target()), { ...asked, file: to, withoutSecrets: true }, quiet);
    expect(without.needs_secret_key).toBe(true);
  });

  it('is refused where the file exists, the folder does not, or one is being made', async () => {
    await expect(makeAt(file)).rejects.toThrow(/exists already/);
    await expect(makeAt(join(root, 'no/where.tar.zst'))).rejects.toThrow(/no folder/);
    await expect(makeAt(join(root, 'x.tar.zst'), never, 'short')).rejects.toThrow(/at least 12/);
    const first = makeAt(join(root, 'first.tar.zst'));
    await expect(makeAt(join(root, 'second.tar.zst'))).rejects.toThrow(/made already/);
    await first;
  });

  it('leaves no file when it is ended at any step, and the next one is made', async () => {
    const steps = ['waiting for', 'holding', 'copying', 'writing'];
    for (const wanted of steps) {
      const to = join(root, `ended-${wanted.slice(0, 4)}.tar.zst`);
      const ended = new AbortController();
      const making = service.backups.create(
        { to, passphrase: null },
        ({ step }) => {
          if (step.startsWith(wanted)) ended.abort();
        },
        ended.signal,
      );
      await expect(making, wanted).rejects.toThrow('there is no file');
      expect(readdirSync(root).filter((name) => name.startsWith('ended'))).toEqual([]);
      expect(readdirSync(dataDir)).not.toContain('backup-staging');
    }
    await makeAt(join(root, 'after.tar.zst'));
  });

  it('is not disturbed by what a killed process has left', async () => {
    mkdirSync(join(dataDir, 'backup-staging/spool'), { recursive: true });
    writeFileSync(join(dataDir, 'backup-staging/spool/hits.spool'), 'half');
    const shadow = join(dataDir, 'warehouse/shadow/ghostlight_backup/store');
    mkdirSync(shadow, { recursive: true });
    const to = join(root, 'left.tar.zst');
    closeSync(openSync(`${to}.partial`, 'w', 0o644));
    const handle = openSync(`${to}.partial`, 'r+');
    writeSync(handle, Buffer.alloc(5_000_000, 1));
    closeSync(handle);
    await makeAt(to);
    await verify(to, PASSPHRASE, quiet);
    expect(statSync(to).mode & 0o777).toBe(0o600);
    expect(existsSync(shadow)).toBe(false);
  });
});

it('a start refuses a directory in which a restore was cut off, and the restore can be run again', async () => {
  const to = target();
  await restore(configOf(to), { ...asked, file }, quiet);
  writeFileSync(join(to, 'restore-unfinished'), '');
  await expect(createService(configOf(to), { listen: false })).rejects.toThrow(/restore into it was cut off/);
  await restore(configOf(to), { ...asked, file, replace: true }, quiet);
  expect(readdirSync(to)).not.toContain('restore-unfinished');
});
