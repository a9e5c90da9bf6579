/** Quotas in Prometheus: read from the database, and the same on every node. */
import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../common/index.ts';
import { lastKnown } from './last-known.ts';

const STATES = ['no_samples', 'closed'] as const;

/** @param states properties by what they may still store today */
export function addQuotaMetrics(
  registry: Registry,
  states: () => Promise<ReadonlyMap<string, number>>,
  clock: Clock,
): void {
  const read = lastKnown(states, new Map<string, number>(), clock);
  new Gauge({
    name: 'ghostlight_properties_over_quota',
    help: 'Properties that have reached their quota of the day, by what is dropped.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const found = await read();
      for (const state of STATES) this.set({ state }, found.get(state) ?? 0);
    },
  });
}
