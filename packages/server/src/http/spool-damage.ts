/** What damage to the disk has cost, over all spools of the node: in Prometheus, and in the operations API. */
import { z } from '@hono/zod-openapi';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { SpoolStats } from '../spool/index.ts';

/** By file name: `hits`, `events`, `event-rows`. */
export type Spools = () => Readonly<Record<string, Pick<SpoolStats, 'counters' | 'damages'>>>;

export const damageSchema = z
  .object({
    at: z.string().openapi({ format: 'date-time' }),
    spool: z.string(),
    found: z.array(z.string()).openapi({ description: 'The damage, and the repair' }),
    lost_rows: z
      .number()
      .int()
      .nullable()
      .openapi({ description: 'Acknowledged rows that are lost; null: it can’t be known' }),
    kept_in: z
      .string()
      .nullable()
      .openapi({ description: 'Where the damaged files are, below the spool’s directory' }),
  })
  .openapi('SpoolDamage');

export function damageView(spools: Spools): z.infer<typeof damageSchema>[] {
  return Object.values(spools()).flatMap(({ damages }) =>
    damages.map(({ at, spool, found, lostRows, keptIn }) => ({
      at: new Date(at).toISOString(),
      spool,
      found: [...found],
      lost_rows: lostRows,
      kept_in: keptIn,
    })),
  );
}

export function lostRows(spools: Spools): number {
  return Object.values(spools()).reduce((sum, { counters }) => sum + counters.lost, 0);
}

export function addDamageMetrics(registry: Registry, spools: Spools): void {
  const common = { labelNames: ['spool'], registers: [registry] };
  new Counter({
    ...common,
    name: 'ghostlight_spool_lost_rows_total',
    help: 'Acknowledged rows that damage to the spool has taken, less those that the store turned out to have.',
    collect() {
      this.reset();
      for (const [spool, { counters }] of Object.entries(spools())) this.inc({ spool }, counters.lost);
    },
  });
  new Gauge({
    ...common,
    name: 'ghostlight_spool_damages',
    help: 'Times in the last 30 days that the spool’s files were found damaged.',
    collect() {
      for (const [spool, { damages }] of Object.entries(spools())) this.set({ spool }, damages.length);
    },
  });
}
