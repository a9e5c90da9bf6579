/** What sends hits: collectors with their versions, log push jobs, and since when something is silent. */

import { DAY_MS } from '@ghostlight/core/time';
import { z } from '@hono/zod-openapi';
import { sum } from '../../common/index.ts';
import { aboutSource, DEFAULT_SOURCE, isCollector } from '../../sources/index.ts';
import { arrivals, type SenderRow, senders } from '../../warehouse/index.ts';
import type { ReportContext } from '../context.ts';
import { moment, rates } from '../numbers.ts';
import { defineAnswer } from '../report.ts';

/** The collector that belongs to this service; held to `packages/collector` by a test. */
export const LATEST_COLLECTOR = DEFAULT_SOURCE.latestVersion ?? '';
/** An hour without visits is usual on a small site, a day is not. */
const QUIET_MS = DAY_MS;
const MAX_ITEMS = 200;
const MAX_HOSTS = 20;

const sent = {
  hits: z.number().int().openapi({ description: 'Rows received, not weighted' }),
  samples: z.number().int(),
  sample_rates: z.array(z.number()),
} as const;
const age = {
  last_seen: z.iso.datetime().nullable().openapi({
    description: 'Time of arrival; may be after the period, if something arrived within 24 hours',
  }),
  stale: z
    .boolean()
    .openapi({ description: 'Older than the latest version of its kind; never of an unknown version' }),
  quiet: z.boolean().openapi({ description: 'Nothing arrived in the last 24 hours, whatever the period' }),
} as const;
const answerSchema = z.object({
  latest_version: z.string().openapi({ description: 'Of the collector on Cloudflare' }),
  versions: z.array(
    z.object({
      source: z.string().openapi({ description: 'Which collector: each kind has versions of its own' }),
      version: z.string().openapi({
        description:
          'Empty: none was sent, as by own code that posts hits, and by a collector from before 0.4.0',
      }),
      latest_version: z
        .string()
        .nullable()
        .openapi({ description: 'Of this kind, as this service knows it; null: it has no version' }),
      ...sent,
      hosts: z.array(z.string()),
      host_count: z.number().int(),
      first_seen: z.iso.datetime().nullable(),
      ...age,
    }),
  ),
  hosts: z.array(
    z.object({
      host: z.string(),
      source: z.string(),
      versions: z.array(z.string()),
      ...sent,
      ...age,
    }),
  ),
  log_push: z.array(
    z.object({
      host: z.string(),
      hits: z.number().int(),
      last_seen: z.iso.datetime().nullable(),
      quiet: z.boolean(),
    }),
  ),
  sample_rate_zero: z.boolean().openapi({ description: 'Collectors send AI hits, but no sample' }),
});

export const collectors = defineAnswer({
  name: 'collectors',
  path: 'collectors',
  summary: 'Senders of hits: versions, sample rates, hosts, and which are quiet',
  schema: 'Collectors',
  // Rows that were received, whatever they are.
  population: 'all',
  answer: answerSchema,
  run: async (context) => told(await heard(context), context.now),
});

function told(rows: readonly SenderRow[], now: number): z.infer<typeof answerSchema> {
  const workers = rows.filter(({ source }) => isCollector(source));
  const pushed = rows.filter(({ source }) => !isCollector(source));
  return {
    latest_version: LATEST_COLLECTOR,
    versions: grouped(workers, ({ source, version }) => `${source} ${version}`)
      .sort(([, [a]], [, [b]]) => byKind(a, b))
      .slice(0, MAX_ITEMS)
      .flatMap(([, of]) => {
        const [first] = of;
        if (first === undefined) return [];
        const { source, version } = first;
        const hosts = [...new Set(of.map(({ host }) => host))].sort();
        return [
          {
            source,
            version,
            latest_version: aboutSource(source)?.latestVersion ?? null,
            ...counts(of),
            hosts: hosts.slice(0, MAX_HOSTS),
            host_count: hosts.length,
            first_seen: moment(Math.min(...of.map(({ first_at }) => first_at))),
            ...ageOf(of, now),
          },
        ];
      }),
    hosts: grouped(rows, ({ source, host }) => `${source} ${host}`)
      .slice(0, MAX_ITEMS)
      .flatMap(([, of]) => {
        const [first] = of;
        if (first === undefined) return [];
        const versions = [...new Set(of.map(({ version }) => version))].filter((version) => version !== '');
        return [{ host: first.host, source: first.source, versions, ...counts(of), ...ageOf(of, now) }];
      }),
    log_push: grouped(pushed, ({ host }) => host)
      .slice(0, MAX_ITEMS)
      .map(([host, of]) => {
        const { last_seen, quiet } = ageOf(of, now);
        return { host, hits: counts(of).hits, last_seen, quiet };
      }),
    sample_rate_zero: workers.length > 0 && workers.every(({ samples }) => samples === 0),
  };
}

/** Senders of the period, with their newest arrival of the last day: what was silent at the end of a period in the past needn't be so now. */
async function heard(context: ReportContext): Promise<SenderRow[]> {
  const { warehouse, plan, now, signal } = context;
  const isPast = plan.startOf(plan.to + 1) <= now;
  const [rows, lately] = await Promise.all([
    senders(warehouse, context, signal),
    isPast ? arrivals(warehouse, context, now - QUIET_MS, signal) : [],
  ]);
  const nameOf = ({ source, version, host }: Pick<SenderRow, 'source' | 'version' | 'host'>) =>
    `${source} ${version} ${host}`;
  const newest = new Map(lately.map((row) => [nameOf(row), row.last_received_at]));
  return rows.map((row) => ({
    ...row,
    last_received_at: Math.max(row.last_received_at, newest.get(nameOf(row)) ?? 0),
  }));
}

/** The collector on Cloudflare first, then by name; the newest version of each first. */
function byKind(a: SenderRow | undefined, b: SenderRow | undefined): number {
  if (a === undefined || b === undefined) return 0;
  const first = (source: string) => (source === DEFAULT_SOURCE.name ? '' : source);
  if (a.source !== b.source) return first(a.source) < first(b.source) ? -1 : 1;
  return byVersion(b.version, a.version);
}

/** Most hits first, as the rows come. */
const grouped = (rows: readonly SenderRow[], by: (row: SenderRow) => string): [string, SenderRow[]][] => [
  ...Map.groupBy(rows, by),
];

const counts = (rows: readonly SenderRow[]) => ({
  hits: sum(rows, ({ hits }) => hits),
  samples: sum(rows, ({ samples }) => samples),
  sample_rates: rates(rows.flatMap((row) => row.sample_rates)),
});

function ageOf(rows: readonly SenderRow[], now: number) {
  const last = Math.max(...rows.map(({ last_received_at }) => last_received_at));
  const stale = rows.some(({ source, version }) => {
    const latest = aboutSource(source)?.latestVersion ?? null;
    return version !== '' && latest !== null && byVersion(version, latest) < 0;
  });
  return { last_seen: moment(last), stale, quiet: now - last > QUIET_MS };
}

/** By number, part by part; what names none is oldest. */
export function byVersion(a: string, b: string): number {
  const parts = (text: string) => (/^\d+(?:\.\d+)*/.exec(text)?.[0] ?? '').split('.').map(Number);
  const [left, right] = [parts(a), parts(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
