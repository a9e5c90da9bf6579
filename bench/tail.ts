/** `ghostlight-tail` beside a server that writes 10,000 lines a second: does it keep up, and with how much memory? */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { printCombined } from '../packages/core/src/log-formats/testing/print.ts';
import { FakeService } from '../packages/tail/src/testing/service.ts';
import { type Figure, thousands } from './harness.ts';
import { logRecords } from './log-records.ts';

const COMMAND = fileURLToPath(new URL('../packages/tail/dist/ghostlight-tail.js', import.meta.url));
const LINES_PER_SECOND = 10_000;
const SECONDS = 30;
const MAX_MIB = 60;
const SLICES = 20;

export async function tail(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ghostlight-bench-tail-'));
  const service = await new FakeService().start();
  const path = join(folder, 'access.log');
  const log = openSync(path, 'a');
  const lines = logRecords(LINES_PER_SECOND * SECONDS).map((record) => `${printCombined(record)}\n`);
  const expected = lines.filter((line) => /GPTBot|CCBot|ClaudeBot/.test(line)).length;
  const words = ['tail', path, '--to', service.address, '--host', 'shop.example', '--from', 'start'];
  const child = spawn(process.execPath, [COMMAND, ...words], {
    env: { PATH: process.env['PATH'], GHOSTLIGHT_KEY: 'gl_bench_key', XDG_STATE_HOME: folder },
    stdio: 'ignore',
  });
  const peak = { own: 0, binary: 0 };
  const look = (): void => {
    const { own, binary } = residentMib(child.pid ?? 0);
    peak.own = Math.max(peak.own, own);
    peak.binary = Math.max(peak.binary, binary);
  };
  try {
    const began = performance.now();
    const slice = LINES_PER_SECOND / SLICES;
    for (let at = 0; at < lines.length; at += slice) {
      writeSync(log, lines.slice(at, at + slice).join(''));
      look();
      const due = began + ((at + slice) / LINES_PER_SECOND) * 1000;
      await sleep(Math.max(0, due - performance.now()));
    }
    const ended = performance.now();
    while (service.visits().length < expected && performance.now() - ended < 30_000) await sleep(50);
    const behind = performance.now() - ended;
    const cpu = cpuSeconds(child.pid ?? 0);
    look();
    const arrived = service.visits().length;
    return [
      {
        what: `ghostlight-tail at ${thousands(LINES_PER_SECOND)} lines/s for ${SECONDS} s: visits that arrived, time behind at the end`,
        measured: `${thousands(arrived)} of ${thousands(expected)}, ${(behind / 1000).toFixed(1)} s`,
        target: 'all, < 5 s',
        holds: arrived === expected && behind < 5_000,
      },
      {
        what: 'its own memory at most, beside the pages of Node’s binary; its processor time for each line',
        measured: `${peak.own.toFixed(0)} MiB + ${peak.binary.toFixed(0)} MiB, ${((cpu * 1e6) / lines.length).toFixed(1)} µs`,
        target: `own < ${MAX_MIB} MiB`,
        holds: peak.own < MAX_MIB,
      },
    ];
  } finally {
    child.kill();
    closeSync(log);
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resident memory: what the process has allocated, and the pages of the binary, which all processes of one Node share. */
function residentMib(pid: number): { own: number; binary: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024;
  return { own: of('RssAnon'), binary: of('RssFile') };
}

/** Clock ticks are hundredths of a second on Linux. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
