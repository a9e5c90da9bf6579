/** Visits, orders and their deliveries through the rooms themselves: over the routes by which pages and servers tell of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import type { Loader } from '../../../service.ts';
import { ask, call } from '../management.ts';
import type { Day } from './days.ts';
import { EXPIRED } from './incidents.ts';
import type { Past } from './past.ts';
import {
  CONNECTED_AGO,
  DESTINATIONS,
  EXPIRED_CREDENTIALS,
  EXPIRING,
  PAUSED,
  PAUSED_AGO,
} from './platforms.ts';
import type { Order, ShopVisit } from './shopping.ts';

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36';
/** Events are recorded within milliseconds; a machine under load may take longer. */
const RECORDED_WITHIN_MS = 60_000;
const RECORD_LOOK_MS = 50;

/** @param written called after each day with the number of days */
export async function writeVisits(
  { loader, whose, days, now, at }: Past,
  visits: readonly ShopVisit[],
  written: (days: number) => void,
): Promise<void> {
  for (const day of days) {
    await at(endOf(day, now), () =>
      Promise.all(visits.filter(of(day)).map((visit) => tell(loader, whose.attributionId, visit))),
    );
    written(day.index + 1);
  }
  await untilRecorded(loader);
}

export interface OrderBook {
  /** What comes before a moment, in its order: orders, each forwarded as soon as it is there, and what an operator does to the destinations. */
  until(moment: number): Promise<void>;
}

interface Step {
  readonly at: number;
  run(): Promise<unknown>;
}

export async function openOrderBook(
  { loader, whose: { attributionId }, days, now, at }: Past,
  orders: readonly Order[],
): Promise<OrderBook> {
  const path = `/properties/${attributionId}`;
  const key = await at(days[0]?.start ?? now, async () => {
    await call(loader, 'PUT', `${path}/webhooks`, { enabled: true });
    const issued = await call(loader, 'POST', `${path}/webhook-keys`, { name: 'Demo orders' });
    return (issued as { key: string }).key;
  });
  const steps: Step[] = [
    ...orders.map((order) => ({ at: order.at, run: () => post(loader, attributionId, key, order) })),
    ...days.flatMap((day) => changesOf(loader, path, day)),
  ].sort((a, b) => a.at - b.at);
  const connectedAt = days.find(isConnecting)?.start ?? now;
  return {
    async until(moment) {
      for (let [next] = steps; next !== undefined && next.at < moment; [next] = steps) {
        const { at: its, run } = next;
        steps.shift();
        await at(its, async () => {
          await run();
          if (its >= connectedAt) await loader.deliver();
        });
      }
      if (moment >= connectedAt) await at(moment, () => loader.deliver());
    },
  };
}

const isConnecting = ({ ago, index }: Day): boolean =>
  ago === CONNECTED_AGO || (index === 0 && ago < CONNECTED_AGO);

/** What an operator does to the destinations on a day. */
function changesOf(loader: Loader, path: string, day: Day): Step[] {
  const { ago, start } = day;
  const changed = (hour: number, name: string, changes: object): Step => ({
    at: start + hour * HOUR_MS,
    run: () => change(loader, path, name, changes),
  });
  return [
    ...(isConnecting(day)
      ? [...DESTINATIONS, PAUSED].map((destination) => ({
          at: start,
          run: () => call(loader, 'POST', `${path}/destinations`, destination),
        }))
      : []),
    ...(ago === EXPIRED.ago
      ? [changed(EXPIRED.from, EXPIRING.name, { credentials: EXPIRED_CREDENTIALS })]
      : []),
    ...(ago === EXPIRED.ago - 1
      ? [changed(EXPIRED.to, EXPIRING.name, { credentials: EXPIRING.credentials })]
      : []),
    ...(ago === PAUSED_AGO ? [changed(0, PAUSED.name, { paused: true })] : []),
  ];
}

const endOf = ({ start }: Day, now: number): number => Math.min(start + DAY_MS - 1, now);

const of =
  ({ start }: Day) =>
  ({ at }: { readonly at: number }): boolean =>
    at >= start && at < start + DAY_MS;

async function tell(loader: Loader, attributionId: string, { events }: ShopVisit): Promise<void> {
  await ask(loader, '/api/events', {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', 'User-Agent': BROWSER },
    body: JSON.stringify(events.map((event) => ({ ...event, attribution_id: attributionId }))),
  });
}

/** A conversion asks for the visits that are recorded. */
async function untilRecorded(loader: Loader): Promise<void> {
  const deadline = performance.now() + RECORDED_WITHIN_MS;
  for (;;) {
    const { pending_events: pending } = (await call(loader, 'GET', '/spool')) as { pending_events: number };
    if (pending === 0) return;
    if (performance.now() > deadline) throw new Error('the visits were not recorded');
    await sleep(RECORD_LOOK_MS);
  }
}

async function post(
  loader: Loader,
  attributionId: string,
  key: string,
  { topic, body }: Order,
): Promise<void> {
  await ask(loader, `/webhooks/custom/${attributionId}/${topic}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Nothing where there is none of that name: a past of few days. */
async function change(loader: Loader, path: string, name: string, changes: object): Promise<void> {
  const { items } = (await call(loader, 'GET', `${path}/destinations`)) as {
    items: { id: string; name: string }[];
  };
  const found = items.find((one) => one.name === name);
  if (found !== undefined) await call(loader, 'PATCH', `${path}/destinations/${found.id}`, changes);
}
