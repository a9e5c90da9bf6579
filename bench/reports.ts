/** Reports over the API, of a store of fifty million hits (`report-store.ts`): asked for 30 days, one request after the other. */
import { type Figure, thousands } from './harness.ts';
import { DAYS } from './report-hits.ts';
import { dateAgo, openReportStore, progress, type ReportStore } from './report-store.ts';

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
  const store = await openReportStore();
  try {
    await store.service.start();
    const figures: Figure[] = [];
    for (const { attributionId, hits } of store.properties.slice(0, 2))
      figures.push(...(await measure(store, attributionId, hits)));
    return figures;
  } finally {
    await store.service.dispose();
  }
}

async function measure(store: ReportStore, property: string, hits: number): Promise<Figure[]> {
  const { service } = store;
  const figures: Figure[] = [];
  const period = `from=${dateAgo(store, 29)}&to=${dateAgo(store, 0)}`;
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
