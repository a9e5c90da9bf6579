/**
 * Counts the closed days that no night has counted: those of the past, and those on which the demo was not running. Until it is done reports
 * read the hits themselves, and say the same.
 */
import type { Service } from '../../service.ts';
import { DAY_MS } from './history/days.ts';
import { DAYS } from './history/index.ts';
import { call } from './management.ts';

/** One by one, the newest first, so that a stop waits for one day alone. @throws whatever the service refuses */
export async function countClosedDays(
  service: Pick<Service, 'fetch' | 'adminToken'>,
  property: string,
  now: number,
  stopped: AbortSignal,
): Promise<void> {
  const period = new URLSearchParams({ from: dateOf(now - (DAYS - 1) * DAY_MS), to: dateOf(now) });
  const { partial_days: days } = (await call(
    service,
    'GET',
    `/properties/${property}/reports/filters?${period}`,
  )) as { partial_days: string[] };
  for (const date of days.filter((day) => day < dateOf(now)).reverse()) {
    if (stopped.aborted) return;
    await call(service, 'POST', '/rollup', { date });
  }
  // That all is counted, only a whole run writes down; there is nothing left for it to do.
  if (!stopped.aborted) await call(service, 'POST', '/rollup', {});
}

const dateOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
