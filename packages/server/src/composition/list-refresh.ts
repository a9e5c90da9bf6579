/** When the service reads the published lists by itself: daily, and at a start that comes late. With `LISTS_REFRESH=off` never. */
import { DAY_MS } from '@ghostlight/core/time';
import type { Clock, Log } from '../common/index.ts';
import type { Config } from '../config.ts';
import type { Job, Jobs } from '../jobs/index.ts';
import type { Lists } from '../lists/index.ts';

const JOB = 'refresh-lists';

type Settings = Pick<Config, 'listsRefresh'>;

/** The daily job; empty where lists are read only by hand. */
export function listRefreshJobs({ listsRefresh }: Settings, lists: Pick<Lists, 'refresh'>): readonly Job[] {
  if (!listsRefresh) return [];
  return [{ name: JOB, schedule: '17 2 * * *', run: async () => void (await lists.refresh()) }];
}

/** A service that was down at the hour of the daily refresh catches up; a new one begins with it. Never throws. */
export async function catchUpOnLists(
  { listsRefresh }: Settings,
  { lists, jobs }: { readonly lists: Pick<Lists, 'status'>; readonly jobs: Pick<Jobs, 'runNow'> },
  clock: Clock,
  log: Log,
): Promise<void> {
  if (!listsRefresh) return;
  try {
    const newest = Math.max(0, ...(await lists.status()).map(({ fetchedAt }) => fetchedAt ?? 0));
    if (clock() - newest > DAY_MS) await jobs.runNow(JOB);
  } catch (error) {
    log.warn({ err: error }, 'the lists could not be renewed; the last good ones are in use');
  }
}
