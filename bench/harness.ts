/** What the benchmarks share: running the load in its own process, medians, and the rows of the table. */
import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { LoadPlan, LoadReport } from './load.ts';

/** One line of the printed table. */
export interface Figure {
  what: string;
  measured: string;
  target: string;
  holds: boolean;
}

const execute = promisify(execFile);

export async function load(plan: LoadPlan): Promise<LoadReport> {
  const script = fileURLToPath(new URL('./load.ts', import.meta.url));
  const { stdout } = await execute(process.execPath, [script, JSON.stringify(plan)], {
    maxBuffer: 1024 ** 2,
  });
  return JSON.parse(stdout) as LoadReport;
}

/** Starts the yardstick server; `stop` ends it. */
export async function bareServer(): Promise<{ port: number; stop: () => void }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./bare-server.ts', import.meta.url))]);
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once('data', (line: Buffer) => resolve(Number(line.toString())));
    child.once('error', reject);
  });
  return { port, stop: () => child.kill() };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function rate(report: LoadReport): number {
  return report.requests / report.seconds;
}

/** Throws when anything but the expected status came back: a fast refusal is not a figure. */
export function expectOnly(report: LoadReport, status: string): LoadReport {
  const others = Object.keys(report.statuses).filter((seen) => seen !== status);
  if (others.length > 0) throw new Error(`expected only ${status}, got ${JSON.stringify(report.statuses)}`);
  return report;
}

export const thousands = (value: number) => Math.round(value).toLocaleString('en-US');
