import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '@ghostlight/core/time';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silent } from '../warehouse/testing/warehouse.ts';
import type { BackupReport, BackupRequest } from './create.ts';
import { type Schedule, startSchedule } from './schedule.ts';

const root = mkdtempSync(join(tmpdir(), 'ghostlight-schedule-'));
let directory: string;
let now: number;
let fails: boolean;
let asked: BackupRequest[];
let schedule: Schedule;
let turn = 0;

beforeEach(() => {
  directory = join(root, `backups-${turn++}`);
  now = Date.UTC(2026, 10, 22, 3);
  fails = false;
  asked = [];
  schedule = start();
});
afterEach(async () => {
  await schedule.stop();
  rmSync(root, { recursive: true, force: true });
});

function start(): Schedule {
  return startSchedule({
    ...{ directory, everyMs: 24 * HOUR_MS, keep: 2, passphrase: 'correct horse', warehouseTo: null },
    ...{ clock: () => now, log: silent },
    backups: {
      async create(request) {
        asked.push(request);
        if (fails) throw new Error('no room');
        writeFileSync(request.to, 'backup');
        return {} as BackupReport;
      },
    },
  });
}

it('makes one when none is there, and the next when its time has come, by any process', async () => {
  expect(schedule.status()).toMatchObject({ lastAt: null, error: null });
  await schedule.look();
  expect(readdirSync(directory)).toEqual(['ghostlight-2026-11-22T03-00-00Z.tar.zst']);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(schedule.status()).toMatchObject({ lastAt: now, lastBytes: 6, failures: 0 });
  expect(asked[0]).toMatchObject({ passphrase: 'correct horse', warehouseTo: null });
  now += 23 * HOUR_MS;
  await schedule.stop();
  schedule = start();
  await schedule.look();
  expect(asked.length).toBe(1);
  now += HOUR_MS;
  await schedule.look();
  expect(asked.length).toBe(2);
});

it('keeps the newest, and touches nothing that it has not made', async () => {
  await schedule.look();
  for (const name of ['mine.tar.zst', 'ghostlight-before-upgrade.tar.zst', 'passphrase'])
    writeFileSync(join(directory, name), 'x');
  writeFileSync(join(directory, 'ghostlight-2026-11-01T03-00-00Z.tar.zst.partial'), 'half');
  for (let day = 0; day < 3; day += 1) {
    now += 24 * HOUR_MS;
    await schedule.look();
  }
  expect(readdirSync(directory).sort()).toEqual([
    'ghostlight-2026-11-24T03-00-00Z.tar.zst',
    'ghostlight-2026-11-25T03-00-00Z.tar.zst',
    'ghostlight-before-upgrade.tar.zst',
    'mine.tar.zst',
    'passphrase',
  ]);
});

it('tries again an hour after a failure, says why, and removes nothing meanwhile', async () => {
  await schedule.look();
  fails = true;
  now += 24 * HOUR_MS;
  await schedule.look();
  await schedule.look();
  expect([asked.length, schedule.status().failures]).toEqual([2, 1]);
  expect(schedule.status().error).toBe('no room');
  expect(existsSync(join(directory, 'ghostlight-2026-11-22T03-00-00Z.tar.zst'))).toBe(true);
  now += HOUR_MS;
  fails = false;
  await schedule.look();
  expect(schedule.status()).toMatchObject({ error: null, failures: 1, lastAt: now });
});
