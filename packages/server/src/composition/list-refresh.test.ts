import { DAY_MS } from '@ghostlight/core/time';
import { expect, it, vi } from 'vitest';
import { silentLog } from '../database/testing.ts';
import { startJobs } from '../jobs/index.ts';
import type { SourceStatus } from '../lists/index.ts';
import { catchUpOnLists, listRefreshJobs } from './list-refresh.ts';

const NOW = Date.parse('2026-11-24T02:16:59Z');

/** A service whose lists were last read at a time (epoch milliseconds), or never. */
function service({ listsRefresh, readAt }: { listsRefresh: boolean; readAt: number | null }) {
  const refresh = vi.fn(async () => ({ version: 1, changed: false, read: 1, failed: 0 }));
  const status = vi.fn(async () => [{ fetchedAt: readAt } as SourceStatus]);
  const lists = { refresh, status };
  const withLock = async (_name: string, run: () => Promise<void>) => {
    await run();
    return true;
  };
  const start = () =>
    startJobs(listRefreshJobs({ listsRefresh }, lists), { withLock, log: silentLog, enabled: true });
  return {
    refresh,
    /** Runs until after the hour of the daily reading. */
    async overTheHour() {
      vi.useFakeTimers({ now: NOW });
      try {
        const jobs = start();
        await vi.advanceTimersByTimeAsync(60_000);
        await jobs.stop(0);
      } finally {
        vi.useRealTimers();
      }
    },
    async atTheStart() {
      const jobs = start();
      await catchUpOnLists({ listsRefresh }, { lists, jobs }, () => NOW, silentLog);
      await jobs.stop(0);
    },
  };
}

it('is done once a day, and at a start that comes a day late', async () => {
  const fresh = service({ listsRefresh: true, readAt: NOW - DAY_MS });
  await fresh.atTheStart();
  expect(fresh.refresh).not.toHaveBeenCalled();
  await fresh.overTheHour();
  expect(fresh.refresh).toHaveBeenCalledTimes(1);
  for (const readAt of [null, NOW - DAY_MS - 1]) {
    const late = service({ listsRefresh: true, readAt });
    await late.atTheStart();
    expect(late.refresh).toHaveBeenCalledTimes(1);
  }
});

it('is never done by itself where it is turned off', async () => {
  const off = service({ listsRefresh: false, readAt: null });
  await off.atTheStart();
  await off.overTheHour();
  expect(off.refresh).not.toHaveBeenCalled();
});
