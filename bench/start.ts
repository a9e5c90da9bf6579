/** From the start to the first answer of a service with many stored hits (`report-store.ts`), and the memory of its two processes while idle. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, median, thousands } from './harness.ts';
import { openReportStore, progress } from './report-store.ts';

const STARTS = 5;
const GOAL_MS = 2_000;
/** What a start does in the background has ended by then. */
const IDLE_MS = 30_000;
const GOAL_MIB = 350;

export async function start(): Promise<Figure[]> {
  const { service, hits } = await openReportStore({ LOG_LEVEL: 'info' });
  try {
    const times: number[] = [];
    for (let turn = 0; turn < STARTS; turn += 1) {
      await service.stop();
      const began = performance.now();
      await service.start();
      const { status } = await service.call('GET', '/readyz');
      times.push(performance.now() - began);
      if (status !== 200) throw new Error(`not ready: ${status}`);
      progress(`ready after ${times.at(-1)?.toFixed(0)} ms`);
    }
    await sleep(IDLE_MS);
    const processes = [service.pid, service.warehousePid].map(memoryOf);
    const [resident, own] = (['Rss', 'Pss'] as const).map((name) =>
      processes.map((memory) => memory[name] / 1024),
    );
    const sum = (values: readonly number[] = []) => values.reduce((total, value) => total + value, 0);
    const each = (values: readonly number[] = []) => values.map((value) => value.toFixed(0)).join(' + ');
    return [
      {
        what: `from the start to ready, ${thousands(hits)} hits stored (slowest of ${STARTS})`,
        measured: `${median(times).toFixed(0)} ms (${Math.max(...times).toFixed(0)} ms)`,
        target: `< ${thousands(GOAL_MS)} ms`,
        holds: median(times) < GOAL_MS,
      },
      {
        what: 'memory of the idle service and its warehouse, resident (without what other processes share)',
        measured: `${sum(resident).toFixed(0)} MiB = ${each(resident)} (${sum(own).toFixed(0)})`,
        target: `< ${GOAL_MIB} MiB`,
        holds: sum(resident) < GOAL_MIB,
      },
    ];
  } finally {
    await service.dispose();
  }
}

/** Of a process, kibibytes: `Rss` all that is in memory, `Pss` with its part alone of what several processes share. */
function memoryOf(pid: number): Record<'Rss' | 'Pss', number> {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]);
  return { Rss: of('Rss'), Pss: of('Pss') };
}
