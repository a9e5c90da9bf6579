/**
 * The spool's two backends beside each other, without HTTP: rows acknowledged per second and processor time of each, the database's included
 * (Linux). PostgreSQL runs on this machine as it comes from its package, with fsync.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query, silentLog, startPostgres } from '../packages/server/src/database/testing-postgres.ts';
import {
  openPostgresSpool,
  openSpool,
  type Spool,
  type SpoolRow,
} from '../packages/server/src/spool/index.ts';
import { toRow } from '../packages/server/src/warehouse/index.ts';
import { makeHit, newScope } from '../packages/server/src/warehouse/testing/warehouse.ts';
import { type Figure, thousands } from './harness.ts';

const MS = 4_000;
const UNDER_WAY = 64;
const TICKS_PER_SECOND = 100;

interface Measured {
  readonly rowsPerSecond: number;
  /** Microseconds of processor time a row: of this process, and of the database. */
  readonly own: number;
  readonly server: number;
}

export async function spool(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'ghostlight-bench-spool-'));
  const postgres = await startPostgres([]);
  const common = { maxBytes: 2 ** 40, clock: Date.now, log: silentLog };
  const figures: Figure[] = [];
  try {
    for (const rows of [1, 100]) {
      const name = `bench_${rows}`;
      await query(postgres.url, `CREATE DATABASE ${name}`);
      const file = await openSpool({ ...common, directory: join(directory, name) });
      const onFile = await measure(file, rows, () => 0);
      const shared = await openPostgresSpool({ ...common, url: `${postgres.url}/${name}`, node: 'bench' });
      const onServer = await measure(shared, rows, () => serverSeconds(postgres.directory));
      const share = onServer.rowsPerSecond / onFile.rowsPerSecond;
      console.log(
        `| posts of ${rows} | hits/s | µs, this process | µs, PostgreSQL |\n|---|---|---|---|\n${line('file', onFile)}${line('postgres', onServer)}`,
      );
      figures.push({
        what: `hits acknowledged by PostgreSQL, posts of ${rows}, against the file`,
        measured: `${share.toFixed(2)}× (${thousands(onServer.rowsPerSecond)}/s)`,
        target: '≥ 0.1×',
        holds: share >= 0.1,
      });
    }
    return figures;
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const line = (name: string, { rowsPerSecond, own, server }: Measured) =>
  `| ${name} | ${thousands(rowsPerSecond)} | ${own.toFixed(1)} | ${server.toFixed(1)} |\n`;

/** @param otherSeconds processor time of other processes so far */
async function measure(spool: Spool, rows: number, otherSeconds: () => number): Promise<Measured> {
  const scope = newScope();
  const template = toRow(makeHit(scope, {}));
  const row = (): SpoolRow => {
    const ray = randomUUID();
    return { line: `{"ray":"${ray}",${template.slice(1)}`, month: '202611', dedupKey: ray, label: 'ai_bot' };
  };
  let acknowledged = 0;
  const post = async (until: number): Promise<void> => {
    while (performance.now() < until) {
      const entry = { endpoint: 'edge_worker', received: rows, rows: Array.from({ length: rows }, row) };
      await spool.append({ ...entry, dropped: {}, rejected: {}, quarantine: [] });
      acknowledged += rows;
    }
  };
  const shipper = spool.startShipper({ insert: async () => undefined, count: async () => 0 });
  try {
    await Promise.all(Array.from({ length: UNDER_WAY }, () => post(performance.now() + 500)));
    acknowledged = 0;
    const began = performance.now();
    const before = { own: process.cpuUsage(), other: otherSeconds() };
    await Promise.all(Array.from({ length: UNDER_WAY }, () => post(began + MS)));
    const seconds = (performance.now() - began) / 1_000;
    // Until everything has been shipped: that is a row's cost too.
    await shipper.drain(60_000);
    const { user, system } = process.cpuUsage(before.own);
    return {
      rowsPerSecond: acknowledged / seconds,
      own: (user + system) / acknowledged,
      server: ((otherSeconds() - before.other) * 1e6) / acknowledged,
    };
  } finally {
    await shipper.stop();
    await spool.close();
  }
}

/** User and kernel time of a PostgreSQL server and of all its processes, those that ended included. */
function serverSeconds(directory: string): number {
  const postmaster = Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]);
  let ticks = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const [parent = 0, user = 0, kernel = 0, endedUser = 0, endedKernel = 0] = [1, 11, 12, 13, 14].map(
        (index) => fields[index],
      );
      if (Number(entry) === postmaster) ticks += user + kernel + endedUser + endedKernel;
      else if (parent === postmaster) ticks += user + kernel;
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks / TICKS_PER_SECOND;
}
