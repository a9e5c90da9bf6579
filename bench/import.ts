/** A million lines into the real service: imported twice, and killed on the way in between. The rows are the same once. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { printCombined } from '../packages/core/src/log-formats/testing/print.ts';
import { DAY_MS } from '../packages/core/src/time.ts';
import { expectConservation } from '../tests/harness/conservation.ts';
import { ADMIN_TOKEN, TestService } from '../tests/harness/service.ts';
import { type Figure, thousands } from './harness.ts';
import { logRecords } from './log-records.ts';

const COMMAND = fileURLToPath(new URL('../packages/tail/dist/ghostlight-tail.js', import.meta.url));
const LINES = Number(process.env['IMPORT_LINES'] ?? 1_000_000);
const CHUNK = 50_000;
/** When the first run is killed: somewhere while it sends. */
const KILLED_AFTER = 0.4;

export async function importing(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ghostlight-bench-import-'));
  const service = new TestService();
  try {
    // Before the service: this process answers nothing while it writes.
    const path = join(folder, 'access.log');
    const ai = writeLog(path);
    execFileSync('gzip', ['-1', '-k', path]);
    await service.start();
    const { id } = await service.property();
    const issued = await service.api('POST', '/api/v1/ingest-keys', { name: 'import', provider: 'import' });
    const { key } = issued.body as { key: string };
    const run = (file: string) =>
      spawn(
        process.execPath,
        [
          COMMAND,
          'import',
          file,
          '--yes',
          '--to',
          service.address,
          '--property',
          id,
          '--host',
          'shop.example',
        ],
        { env: { PATH: process.env['PATH'], GHOSTLIGHT_KEY: key, XDG_STATE_HOME: folder }, stdio: 'ignore' },
      );
    const rows = async () => {
      await expectConservation(service, 120_000);
      return await stored(service, id);
    };

    const killed = run(path);
    while ((await kept(service)) < ai * KILLED_AFTER && killed.exitCode === null) await sleep(5);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const before = await rows();

    const began = performance.now();
    const [code] = (await once(run(path), 'exit')) as [number];
    const seconds = (performance.now() - began) / 1000;
    const first = await rows();
    const counted = await requests(service, id);
    await once(run(`${path}.gz`), 'exit');
    const second = await rows();
    const countedAgain = await requests(service, id);
    return [
      {
        what: `import of ${thousands(LINES)} combined lines with ${thousands(ai)} AI visits: rows after kill −9, after going on, after importing the same again compressed`,
        measured: `${thousands(before)}, ${thousands(first)}, ${thousands(second)}; exit code ${code}`,
        target: `fewer, ${thousands(ai)}, ${thousands(ai)}`,
        holds: before < ai && first === ai && second === ai && code === 0,
      },
      {
        what: 'all requests of these lines as the AI share counts them, after going on and after importing again',
        measured: `${thousands(counted)}, ${thousands(countedAgain)}`,
        target: `${thousands(LINES)}, ${thousands(LINES)}`,
        holds: counted === LINES && countedAgain === LINES,
      },
      {
        what: 'its pace after the kill: lines read twice (survey, sending)',
        measured: `${thousands(LINES / seconds)} lines/s`,
        target: '–',
        holds: true,
      },
    ];
  } finally {
    await service.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns how many lines are AI visits */
function writeLog(path: string): number {
  const log = openSync(path, 'w');
  let ai = 0;
  for (let at = 0; at < LINES; at += CHUNK) {
    const records = logRecords(Math.min(CHUNK, LINES - at), Date.now() - 60 * DAY_MS + at * 10);
    const lines = records.map((record) => `${printCombined(record)}\n`);
    ai += lines.filter((line) => /GPTBot|CCBot|ClaudeBot/.test(line)).length;
    writeSync(log, lines.join(''));
  }
  closeSync(log);
  return ai;
}

async function kept(service: TestService): Promise<number> {
  const samples = await service.metrics();
  return [...samples]
    .filter(([name]) => name.startsWith('ghostlight_hits_kept_total{') && name.includes('import'))
    .reduce((sum, [, value]) => sum + value, 0);
}

/** AI bot visits that a report counts. */
async function stored(service: TestService, id: string): Promise<number> {
  const { headline } = await report<{ headline: { ai_bot_hits: number } }>(service, id, 'overview');
  return headline.ai_bot_hits;
}

/** AI visits and others. */
async function requests(service: TestService, id: string): Promise<number> {
  const answer = await report<{ requests: { counted: number } }>(service, id, 'ai-share');
  return answer.requests.counted;
}

async function report<T>(service: TestService, id: string, name: string): Promise<T> {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const range = `from=${day(Date.now() - 62 * DAY_MS)}&to=${day(Date.now())}`;
  const { body } = await service.call(
    'GET',
    `/api/v1/properties/${id}/reports/${name}?${range}&include=spoofed`,
    { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } },
  );
  return body as T;
}
