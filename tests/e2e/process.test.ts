/** The processes of a service, as a supervisor, a terminal and npm meet them: none outlives what started it, and no foreign process is taken for one. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  offerWarehouse,
  SERVICE_RETENTION_DAYS,
} from '../../packages/server/src/warehouse/testing/warehouse.ts';
import { freePort } from '../harness/free-port.ts';
import { ADMIN_TOKEN, TestService } from '../harness/service.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LAUNCHER = join(ROOT, 'packages/server/bin/ghostlight.js');
/** Node 20 can't replace a process by another: there the launcher stays as the service's parent. */
const WITHOUT_EXECVE = ['--import', 'data:text/javascript,delete process.execve', LAUNCHER, 'serve'];
const PATIENCE = { timeout: 60_000, interval: 50 };

interface Started {
  readonly child: ChildProcess;
  /** Of the service itself. */
  readonly service: number;
  readonly warehouse: number;
  log(): string;
}

async function start(program: string, words: readonly string[]): Promise<Started> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ghostlight-process-'));
  offerWarehouse(dataDir, SERVICE_RETENTION_DAYS);
  const child = spawn(program, words, {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: dataDir,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      ...{ PORT: '0', DATA_DIR: dataDir, ADMIN_TOKEN, LISTS_REFRESH: 'off' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  onTestFinished(() => {
    for (const pid of [child.pid ?? 0, ...tree]) if (pid > 0 && alive(pid)) process.kill(pid, 'SIGKILL');
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const tree: number[] = [];
  const [service, warehouse] = await vi.waitFor(() => {
    const file = JSON.parse(readFileSync(join(dataDir, 'service.json'), 'utf8')) as { pid: number };
    return [file.pid, Number(/"room":"warehouse","pid":(\d+)/.exec(log)?.[1])] as const;
  }, PATIENCE);
  tree.push(service, warehouse);
  expect(tree.filter(alive)).toHaveLength(2);
  return { child, service, warehouse, log: () => log };
}

/** A process that has ended and waits for its parent to ask is not alive. */
function alive(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}

const gone = async ({ service, warehouse }: Started) =>
  vi.waitFor(() => expect([service, warehouse].filter(alive)).toEqual([]), PATIENCE);

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'the service ends with `npm start`, when that gets %s',
  async (signal) => {
    const started = await start('npm', ['start']);
    started.child.kill(signal);
    await gone(started);
  },
  120_000,
);

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'the service ends with a launcher that stays its parent, when that gets %s',
  async (signal) => {
    const started = await start(process.execPath, WITHOUT_EXECVE);
    expect(started.service).not.toBe(started.child.pid);
    started.child.kill(signal);
    await gone(started);
  },
  120_000,
);

it('one Ctrl+C, which a launcher passes on besides, stops the service in order', async () => {
  const started = await start(process.execPath, WITHOUT_EXECVE);
  const ended = new Promise<number | null>((resolve) => started.child.once('exit', resolve));
  process.kill(started.service, 'SIGINT');
  started.child.kill('SIGINT');
  expect(await ended).toBe(0);
  await gone(started);
});

it('a command gives the admin token to no program that listens where a killed service was', async () => {
  const port = await freePort();
  const service = await new TestService({ PORT: String(port) }).start();
  onTestFinished(() => service.dispose());
  expect(await service.run(['properties', 'list'])).toMatchObject({ code: 0 });
  await service.stop('SIGKILL');
  const heard: (string | undefined)[] = [];
  const stranger = createServer((request, response) => {
    heard.push(request.headers.authorization ?? request.url);
    response.end('{"items":[]}');
  });
  await new Promise<void>((resolve) => stranger.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void stranger.close());
  expect(await service.run(['properties', 'list'])).toMatchObject({ code: 0 });
  expect(heard).toEqual([]);
});
