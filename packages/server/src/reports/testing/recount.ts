/**
 * Every report, slowly: from raw rows in plain TypeScript, knowing nothing of days that are closed, runs or SQL. What the service answers
 * must be this.
 */
import type { StoredHit } from '@ghostlight/core';
import { botSeries, bots } from './recount-bots.ts';
import {
  dayOf,
  days,
  distinct,
  estimatedSum,
  estimates,
  figures,
  isClientError,
  isCounted,
  isError,
  isFile,
  isMeant,
  isRedirect,
  isServerError,
  moment,
  type Recounted,
  select,
  sum,
} from './recount-hits.ts';
import { referrals } from './recount-referrals.ts';
import { ofAll, spoofedOf } from './recount-trust.ts';

export * from './recount-bots.ts';
export * from './recount-failures.ts';
export * from './recount-referrals.ts';
export * from './recount-trust.ts';

const QUARTER = 15 * 60_000;
const HOUR = 4 * QUARTER;
const isNumber = (hit: StoredHit): boolean => String(hit.class) === 'counted';
const among = (a: StoredHit, b: StoredHit, ms: number): boolean =>
  Math.floor(a.at / ms) === Math.floor(b.at / ms);

/** Hits of each slice of the traffic that is known as a whole; `exact` where all were sent or counted. */
export function slices(all: readonly StoredHit[], asked: Recounted, pagesAlone: boolean) {
  const classes = ['ai_bot', 'ai_referral', 'sample', 'search_engine', 'counted'];
  const { path, page, country } = asked.filter;
  const isNarrower = [path, page, country].some((value) => value !== undefined);
  const numbers = isNarrower ? [] : all.filter(isNumber);
  const isCountedHere = (hit: StoredHit): boolean =>
    numbers.some(
      (one) => one.source === hit.source && [hit.host, ''].includes(one.host) && among(one, hit, QUARTER),
    );
  const isCountedElsewhere = (hit: StoredHit): boolean =>
    numbers.some((one) => one.host === hit.host && among(one, hit, HOUR));
  const known = select(all, ofAll(asked), classes).now.flatMap((hit) => {
    const isCounted = isCountedHere(hit);
    const isKnown = isCounted
      ? hit.class !== 'sample'
      : hit.source === 'edge_worker' && !isCountedElsewhere(hit);
    return isKnown ? [{ hit, isCounted }] : [];
  });
  const now = known.map(({ hit }) => hit).filter((hit) => !(pagesAlone && isFile(hit)));
  const of = (condition: (hit: StoredHit) => boolean) => {
    const hits = now.filter(condition);
    const exact = hits.filter(({ sample_rate: rate }) => rate === 0 || rate === 1);
    return { hits: sum(hits), exact: exact.reduce((n, hit) => n + (isNumber(hit) ? hit.weight : 1), 0) };
  };
  const ofCollector = known.filter(({ hit, isCounted }) => !isCounted && now.includes(hit));
  const daysOf = (one: (hit: StoredHit) => boolean) =>
    new Set(ofCollector.filter(({ hit }) => one(hit)).map(({ hit }) => dayOf(hit, asked)));
  const sampledDays = daysOf((hit) => hit.class === 'sample');
  const isEstimated = now.some(({ sample_rate: rate, weight }) => rate > 0 && rate < 1 && weight > 0);
  const isMixed = known.some(({ isCounted }) => !isCounted) || isEstimated;
  const isOther = (hit: StoredHit): boolean => hit.class === 'sample' || isNumber(hit);
  return {
    denominator:
      known.length === 0
        ? null
        : !known.some(({ isCounted }) => isCounted)
          ? 'estimated'
          : isMixed
            ? 'mixed'
            : 'counted',
    days_without_samples: [...daysOf((hit) => hit.class !== 'search_engine')].filter(
      (day) => !sampledDays.has(day),
    ).length,
    ai_bots: of((hit) => hit.class === 'ai_bot' && isCounted(hit, asked) && isMeant(hit, asked.filter)),
    ai_referrals: of((hit) => hit.class === 'ai_referral'),
    other_bots: of((hit) =>
      hit.class === 'ai_bot'
        ? !isCounted(hit, asked)
        : hit.class === 'search_engine' || (isOther(hit) && hit.other_bot),
    ),
    people: of((hit) => isOther(hit) && !hit.other_bot),
  };
}

/** Rows by version of the collector. */
export function versions(all: readonly StoredHit[], asked: Recounted) {
  const { now } = select(all, ofAll(asked), ['ai_bot', 'ai_referral', 'sample', 'search_engine']);
  const workers = now.filter(({ source }) => source === 'edge_worker');
  return distinct(workers.map(({ worker_version: version }) => version)).map((version) => {
    const hits = workers.filter((hit) => hit.worker_version === version);
    return {
      source: 'edge_worker',
      version,
      hits: hits.length,
      samples: hits.filter(({ sample_rate: rate }) => rate > 0).length,
      sample_rates: distinct(hits.map(({ sample_rate: rate }) => rate).filter((rate) => rate > 0)).sort(
        (a, b) => a - b,
      ),
      hosts: distinct(hits.map(({ host }) => host)).sort(),
      first_seen: figures(hits).first_seen,
      last_seen: moment(Math.max(...hits.map(({ received_at: at }) => at))),
    };
  });
}

/** Values that occur, with their hits: of each list under all filters but its own. */
export function values(all: readonly StoredHit[], asked: Recounted) {
  const include = asked.filter.verified === 'false' ? 'spoofed' : asked.include;
  const under = (...left: (keyof Recounted['filter'])[]) => {
    const filter = Object.fromEntries(
      Object.entries(asked.filter).filter(([name]) => !left.some((one) => one === name)),
    ) as Recounted['filter'];
    const { bot, vendor, intent, verified } = filter;
    const asksBots = [bot, vendor, intent, verified].some((value) => value !== undefined);
    return select(all, { ...asked, include, filter }, asksBots ? ['ai_bot'] : ['ai_bot', 'ai_referral']).now;
  };
  const counted = (hits: readonly StoredHit[], of: (hit: StoredHit) => string) =>
    Object.fromEntries(
      distinct(hits.map(of))
        .filter((name) => name !== '')
        .map((name) => [name, sum(hits.filter((hit) => of(hit) === name))]),
    );
  const referred = (hits: readonly StoredHit[]) => hits.filter((hit) => hit.class === 'ai_referral');
  return {
    referredHosts: counted(referred(under('host')), ({ host }) => host),
    referredCountries: counted(referred(under('country')), ({ country }) => country),
    bots: counted(under('bot'), ({ bot_name: bot }) => bot),
    vendors: counted(under('vendor'), ({ vendor }) => vendor),
    intents: counted(under('intent'), ({ intent }) => intent),
    hosts: counted(under('host'), ({ host }) => host),
    countries: counted(under('country'), ({ country }) => country),
    engines: counted(under('bot', 'vendor', 'intent', 'verified'), ({ referrer_engine: engine }) => engine),
  };
}

/** Charts by day: of trust, failures and referrals. */
export function seriesOf(all: readonly StoredHit[], asked: Recounted) {
  const [everyone, bots, people] = [
    select(all, ofAll(asked), ['ai_bot']).now,
    select(all, asked, ['ai_bot']).now,
    select(all, asked, ['ai_referral']).now,
  ];
  return days(asked).map((day) => {
    const within = (hits: readonly StoredHit[]) => hits.filter((hit) => dayOf(hit, asked) === day);
    const told = (of: Readonly<Record<string, readonly StoredHit[]>>) => ({
      ...Object.fromEntries(Object.entries(of).map(([name, hits]) => [name, sum(hits)])),
      estimates: estimates(of),
    });
    const [judged, met, sent] = [within(everyone), within(bots), within(people)];
    const engines = distinct(sent.map((hit) => hit.referrer_engine));
    const by = (engine: string) => sent.filter((hit) => hit.referrer_engine === engine);
    return {
      trust: told({
        verified: judged.filter((hit) => hit.verified === true),
        spoofed: spoofedOf(judged),
        unknown: judged.filter((hit) => hit.verified === null),
      }),
      failures: told({
        hits: met,
        redirects: met.filter(isRedirect),
        client_errors: met.filter(isClientError),
        server_errors: met.filter(isServerError),
      }),
      referrals: {
        visits: sum(sent),
        estimated: estimatedSum(sent),
        engines: Object.fromEntries(engines.map((engine) => [engine, sum(by(engine))])),
        estimates: estimates(Object.fromEntries(engines.map((engine) => [`engines.${engine}`, by(engine)]))),
      },
    };
  });
}

/** What the overview says beside the figures that its reports have too. */
export function overview(all: readonly StoredHit[], asked: Recounted) {
  const { now, fakes } = select(all, asked, ['ai_bot']);
  const sent = select(all, asked, ['ai_referral']).now;
  const judged = {
    verified: now.filter((hit) => hit.verified === true),
    spoofed: fakes,
    unknown: now.filter((hit) => hit.verified === null),
  };
  const ofBots = bots(all, asked).map(({ vendor, bot, intent, hits, estimated }) => ({
    ...{ vendor, bot, intent, hits, estimated },
  }));
  const rows: Readonly<Record<string, readonly object[]>> = {
    top_bots: ofBots,
    new_bots: ofBots,
    top: referrals(all, asked, 'engine').map(({ engine, visits, estimated }) => ({
      ...{ engine, visits, estimated },
    })),
  };
  return {
    rows,
    /** The members of a row of the answer that the recount knows. */
    known: (part: string, row: object): object => {
      const names = Object.keys(rows[part]?.[0] ?? {});
      return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
    },
    trust: {
      ...Object.fromEntries(Object.entries(judged).map(([verdict, hits]) => [verdict, sum(hits)])),
      estimates: estimates(judged),
    },
    headline: estimates({
      spoofed: fakes,
      on_demand: now.filter(({ intent }) => intent === 'on_demand'),
      referrals: sent,
      failures: now.filter(isError),
    }),
    series: botSeries(all, asked).map((day, index) => {
      const ofDay = sent.filter((hit) => dayOf(hit, asked) === asked.from + index);
      return {
        ...day,
        referrals: sum(ofDay),
        estimates: { ...day.estimates, ...estimates({ referrals: ofDay }) },
      };
    }),
  };
}
