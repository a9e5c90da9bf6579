/** Forwarding and webhooks in Prometheus. What waits is read from the database, and is the same on every node; outcomes are this node's. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Clock } from '../common/index.ts';
import type { ForwardingFigures } from '../forwarding/index.ts';
import { lastKnown } from './last-known.ts';

const NOTHING: ForwardingFigures = { waiting: new Map(), oldestSeconds: 0, alarms: new Map() };

export interface ForwardingSource {
  figures(): Promise<ForwardingFigures>;
  /** Platform → state → how many, since the start of this node. */
  outcomes(): ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** @param platforms every one of this version: a series exists before its first delivery */
export function addForwardingMetrics(
  registry: Registry,
  { figures, outcomes }: ForwardingSource,
  platforms: readonly string[],
  clock: Clock,
): void {
  const registers = [registry];
  const read = lastKnown(figures, NOTHING, clock);
  const byPlatform = (
    name: string,
    help: string,
    of: (figures: ForwardingFigures) => ReadonlyMap<string, number>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['platform'],
      registers,
      async collect() {
        const counts = of(await read());
        for (const platform of platforms) this.set({ platform }, counts.get(platform) ?? 0);
      },
    });

  new Counter({
    name: 'ghostlight_deliveries_total',
    help: 'Deliveries settled by this node since its start, by platform and outcome.',
    labelNames: ['platform', 'outcome'],
    registers,
    collect() {
      this.reset();
      for (const [platform, states] of outcomes())
        for (const [outcome, count] of states) this.inc({ platform, outcome }, count);
    },
  });
  byPlatform(
    'ghostlight_deliveries_waiting',
    'Waiting deliveries in the whole installation; counted up to 100,000.',
    ({ waiting }) => waiting,
  );
  byPlatform(
    'ghostlight_destinations_alarmed',
    'Destinations that need a configuration fix.',
    ({ alarms }) => alarms,
  );
  new Gauge({
    name: 'ghostlight_deliveries_oldest_seconds',
    help: 'Age of the oldest waiting delivery.',
    registers,
    async collect() {
      this.set((await read()).oldestSeconds);
    },
  });
}

/** @param counts requests by status, since the start of this node */
export function addWebhookMetrics(registry: Registry, counts: () => ReadonlyMap<string, number>): void {
  new Counter({
    name: 'ghostlight_webhook_requests_total',
    help: 'Webhook requests that reached a property, by status, since the start of this node.',
    labelNames: ['status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [status, count] of counts()) this.inc({ status }, count);
    },
  });
}

/** @param counts signed deliveries of shop platforms by result, since the start of this node */
export function addShopMetrics(
  registry: Registry,
  counts: () => readonly { readonly platform: string; readonly result: string; readonly count: number }[],
): void {
  new Counter({
    name: 'ghostlight_shop_deliveries_total',
    help: 'Signed deliveries of shop platforms, by result, since the start of this node.',
    labelNames: ['platform', 'result'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { platform, result, count } of counts()) this.inc({ platform, result }, count);
    },
  });
}
