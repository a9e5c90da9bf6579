/**
 * Counts the closed days that no night has counted: those of the past, and those on which the demo was not running. Until it is done reports
 * read the hits themselves, and say the same.
 */

import { DAY_MS } from '@ghostlight/core/time';
import type { Service } from '../../service.ts';
import { DAYS } from './history/index.ts';
import { call } from './management.ts';

/** Days of the property’s zone, which may have been changed. One by one, the newest first, so that a stop waits for one day alone. @throws whatever the service refuses */
export async function countClosedDays(
  service: Pick<Service, 'fetch' | 'adminToken'>,
  property: string,
  now: number,
  stopped: AbortSignal,
): Promise<void> {
  // A day more: what is today here may be yesterday where the property is. Until when its days go, the service knows.
  const from = new Date(now - DAYS * DAY_MS).toISOString().slice(0, 10);
  const { partial_days: days, period } = (await call(
    service,
    'GET',
    `/properties/${property}/reports/filters?from=${from}`,
  )) as { partial_days: string[]; period: { to: string } };
  for (const date of days.filter((day) => day < period.to).reverse()) {
    if (stopped.aborted) return;
    await call(service, 'POST', '/rollup', { date });
  }
  // That all is counted, only a whole run writes down; there is nothing left for it to do.
  if (!stopped.aborted) await call(service, 'POST', '/rollup', {});
}
