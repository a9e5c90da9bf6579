import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openWarehouse } from '../index.ts';
import { killRounds } from '../testing/kill-rounds.ts';
import { openTestWarehouse, silent, type TestWarehouse } from '../testing/warehouse.ts';

let test: TestWarehouse;
beforeAll(async () => {
  test = await openTestWarehouse();
});
afterAll(() => test.close());

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

it('compiles no expressions, on any of its connections', async () => {
  const asked = (['write', 'live', 'report'] as const).flatMap((lane) => [lane, lane, lane, lane]);
  const answers = await Promise.all(
    asked.map((lane) =>
      test.warehouse.rows<{ value: string }>(lane, {
        sql: "SELECT value FROM system.settings WHERE name = 'compile_expressions'",
      }),
    ),
  );
  expect(answers.map(([row]) => row?.value)).toEqual(asked.map(() => '0'));
});

/** More of them: tests/crash. Each takes a third of a second of processor time, most of it the engine's start. */
const ROUNDS = { least: 10, most: 30, ofEach: 1 };

it('loses and doubles nothing when the child is killed under insert again and again', async () => {
  const report = await killRounds(test.warehouse, ROUNDS);
  expect(report).toMatchObject({ missing: 0, doubled: 0 });
  expect(report.kills).toBeGreaterThan(report.batches / 3 / 2);
  expect(report.unanswered).toBeGreaterThan(0);
});

it('refuses a second process on the same directory with a sentence that says what to do', async () => {
  await vi.waitFor(() => test.warehouse.ping(), 10_000);
  await expect(
    openWarehouse({ url: null, dataDir: test.dataDir, retentionDays: 400, log: silent, clock: Date.now }),
  ).rejects.toMatchObject({
    name: 'EmbeddedEngineError',
    kind: 'in_use',
    message: expect.stringContaining('in use by another process'),
  });
  await test.warehouse.ping();
});

it('waits for a process that is just giving the directory back', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ghostlight-held-'));
  const open = () => openWarehouse({ url: null, dataDir, retentionDays: 400, log: silent, clock: Date.now });
  const first = await open();
  const second = open();
  await sleep(600);
  await first.close();
  await (await second).close();
  await rm(dataDir, { recursive: true, force: true });
});

it('leaves no orphan when the parent is killed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'ghostlight-holder-'));
  const holder = fork(fileURLToPath(new URL('../testing/holder.ts', import.meta.url)), [dataDir], {
    execArgv: [],
  });
  const [message] = (await once(holder, 'message')) as [{ child: number }];
  expect(alive(message.child)).toBe(true);
  holder.kill('SIGKILL');
  await vi.waitFor(() => expect(alive(message.child)).toBe(false), 10_000);
  await rm(dataDir, { recursive: true, force: true });
});

it('ends the child at close and says so to later callers', async () => {
  const own = await openTestWarehouse();
  const pid = own.warehouse.pid();
  await own.close();
  expect(pid !== null && alive(pid)).toBe(false);
  await expect(own.warehouse.ping()).rejects.toMatchObject({ name: 'WarehouseUnavailable' });
});
