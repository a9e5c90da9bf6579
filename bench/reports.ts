/**
 * Reports over the API: twenty properties with fifty million hits of 90 days, one of them with 2.5 million and one with 20, counted into
 * daily rows by the real run. Asked for 30 days, one request after the other. BENCH_HITS: fewer in all, in the same proportions.
 */
import { DAY_MS } from '@ghostlight/core/time';
import { openWarehouse } from '../packages/server/src/warehouse/index.ts';
import { silent } from '../packages/server/src/warehouse/testing/warehouse.ts';
import { TestService } from '../tests/harness/service.ts';
import { type Figure, thousands } from './harness.ts';
import { DAYS, makeHits, type Owned } from './report-hits.ts';

const HITS = Number(process.env['BENCH_HITS'] ?? 50_000_000);
const PROPERTIES = 20;
const MIDDLE = 0.05;
const LARGE = 0.4;
/** The engine compiles what it is asked the third time, Node what it runs often: an open dashboard asks every minute. */
const WARM_UP = 5;
const WARM_CALLS = 40;
const GOAL_MS = 300;

/** Path below the property, without the period. */
const REPORTS: readonly (readonly [what: string, path: string])[] = [
  ['overview', 'reports/overview?'],
  ['bots', 'reports/bots?compare=previous'],
  ['bots, by vendor', 'reports/bots?group=vendor'],
  ['pages', 'reports/pages?'],
  ['pages, compared', 'reports/pages?compare=previous'],
  ['pages, one bot', 'reports/pages?bot=GPTBot'],
  ['pages, one country', 'reports/pages?country=DE'],
  ['pages, folders', 'reports/pages?group=folder&prefix=/products/'],
  ['pages, by bot', 'reports/pages?group=bot_page'],
  ['failures', 'reports/failures?'],
  ['trust', 'reports/trust?'],
  ['trust, sources', 'reports/trust/sources?'],
  ['AI share', 'reports/ai-share?'],
  ['referrals', 'reports/referrals?'],
  ['funnel', 'reports/funnel?'],
  ['collectors', 'reports/collectors?'],
  ['filters', 'reports/filters?'],
  ['visits', 'reports/visits?'],
  ['visits, one bot and status', 'reports/visits?bot=GPTBot&status=5xx'],
  ['visits, a path that no one reads', 'reports/visits?path_contains=no-such-page'],
  ['visits, counted', 'reports/visits/counts?'],
  ['visits, counted by user agent', 'reports/visits/counts?user_agent=GPTBot'],
  ['visits, values of status', 'reports/visits/values?of=status'],
  ['visits, values of network', 'reports/visits/values?of=asn'],
];

export async function reports(): Promise<Figure[]> {
  const service = new TestService({ LOG_LEVEL: 'error' });
  try {
    await service.start();
    const properties = await ownedProperties(service);
    await service.stop();
    await fill(service, properties);
    await service.start();
    await rollUp(service);
    const figures: Figure[] = [];
    for (const { attributionId, hits } of properties.slice(0, 2))
      figures.push(...(await measure(service, attributionId, hits)));
    return figures;
  } finally {
    await service.dispose();
  }
}

type Filled = Owned & { readonly hits: number };

/** The two that are measured first. */
async function ownedProperties(service: TestService): Promise<Filled[]> {
  const rest = (HITS * (1 - MIDDLE - LARGE)) / (PROPERTIES - 2);
  const properties: Filled[] = [];
  for (let index = 0; index < PROPERTIES; index += 1) {
    const { body } = await service.api('POST', '/api/v1/properties', {
      name: `Shop ${index}`,
      domain: 'shop.example',
    });
    const { id, organization_id } = body as { id: string; organization_id: string };
    const hits = Math.round([HITS * MIDDLE, HITS * LARGE][index] ?? rest);
    properties.push({ attributionId: id, organizationId: organization_id, hits });
  }
  return properties;
}

async function fill({ dataDir }: TestService, properties: readonly Filled[]): Promise<void> {
  const now = Date.now();
  const warehouse = await openWarehouse({
    url: null,
    dataDir,
    retentionDays: 400,
    log: silent,
    clock: Date.now,
  });
  let made = 0;
  try {
    for (const [seed, property] of properties.entries())
      await makeHits(warehouse, property, {
        hits: property.hits,
        now,
        seed,
        done(rows) {
          made += rows;
          progress(`${thousands(made)} of ${thousands(HITS)} hits`);
        },
      });
  } finally {
    await warehouse.close();
  }
}

/** Day by day, so that no request waits for all of them; then the run that finds nothing left to do. */
async function rollUp(service: TestService): Promise<void> {
  for (let ago = DAYS - 1; ago > 0; ago -= 1) {
    const date = dateAgo(ago);
    const { status, body } = await service.api('POST', '/api/v1/rollup', { date });
    if (status !== 200) throw new Error(`rollup of ${date}: ${status} ${JSON.stringify(body)}`);
    progress(`${DAYS - ago} of ${DAYS - 1} days counted`);
  }
  const { body } = await service.api('POST', '/api/v1/rollup', {});
  if ((body as { days: unknown[] }).days.length > 0) throw new Error('a day had grown');
}

async function measure(service: TestService, property: string, hits: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  const period = `from=${dateAgo(29)}&to=${dateAgo(0)}`;
  const asked = REPORTS.map(([what, path]) => [what, `${path}&${period}`] as const);
  for (const [what, path] of [...asked, ['Live', 'live?limit=100'] as const]) {
    const times: number[] = [];
    for (let turn = 0; turn < WARM_UP + WARM_CALLS; turn += 1) {
      const began = performance.now();
      const { status, body } = await service.api('GET', `/api/v1/properties/${property}/${path}`);
      times.push(performance.now() - began);
      if (status !== 200)
        throw new Error(`${path}: ${status} ${JSON.stringify(body)}\n${service.log.slice(-4_000)}`);
    }
    const [first = Number.NaN] = times;
    const warm = times.slice(WARM_UP);
    warm.sort((a, b) => a - b);
    const p95 = warm[Math.ceil(warm.length * 0.95) - 1] ?? Number.NaN;
    const p50 = warm[warm.length >> 1] ?? Number.NaN;
    figures.push({
      what: `${what}, 30 of ${DAYS} days, property of ${thousands(hits)} hits: p95 (p50, first call)`,
      measured: `${p95.toFixed(0)} ms (${p50.toFixed(0)} ms, ${first.toFixed(0)} ms)`,
      target: `< ${GOAL_MS} ms`,
      holds: p95 < GOAL_MS,
    });
    progress(`${what}: p95 ${p95.toFixed(0)} ms, p50 ${p50.toFixed(0)} ms, first ${first.toFixed(0)} ms`);
  }
  return figures;
}

const dateAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const progress = (line: string): void => void process.stderr.write(`  ${line}\n`);
