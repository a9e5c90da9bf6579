/**
 * Every report, slowly: from raw rows in plain TypeScript, knowing nothing of days that are closed, runs or SQL. What the service answers
 * must be this.
 */
import { type StoredHit, VERDICT_REASONS } from '@ghostlight/core';
import {
  change,
  compared,
  comparedWith,
  compares,
  dayOf,
  days,
  distinct,
  estimatedSum,
  estimates,
  figures,
  grouped,
  hitsByIntent,
  intents,
  isClientError,
  isCounted,
  isError,
  isFile,
  isMeant,
  isRedirect,
  isServerError,
  type Kind,
  moment,
  ofKind,
  pageOf,
  type Recounted,
  ratio,
  readCounts,
  readOf,
  rowKind,
  select,
  sum,
  total,
} from './recount-hits.ts';

const genuine = (all: readonly StoredHit[]) =>
  all.filter((hit) => hit.class === 'ai_bot' && hit.verified !== false);

/** Of all that is kept: the first visit of the bots that some hits are of. */
function firstOf(all: readonly StoredHit[], of: readonly StoredHit[]): number | undefined {
  const names = new Set(of.map(({ bot_name: name }) => name));
  const visits = genuine(all).filter(({ bot_name: name }) => names.has(name));
  return visits.length === 0 ? undefined : Math.min(...visits.map(({ at }) => at));
}

function isNew(all: readonly StoredHit[], asked: Recounted, bot: string): boolean | null {
  const { to, since } = asked;
  const visits = genuine(all).filter(({ bot_name: name }) => name === bot);
  const first = Math.min(...visits.map((hit) => dayOf(hit, asked)));
  if (visits.length === 0 || first < to - 6 || first > to) return false;
  return since !== null && first < since + 7 ? null : true;
}

/** By vendor without an engine: which one of several represents them is undefined. */
export function bots(all: readonly StoredHit[], asked: Recounted, group: 'bot' | 'vendor' = 'bot') {
  const chosen = select(all, asked, ['ai_bot']);
  const whole = total(chosen.now);
  return grouped(
    chosen,
    ({ vendor, bot_name: bot, intent, engine }) =>
      group === 'bot' ? [vendor, bot, intent, engine] : [vendor, '', ''],
    true,
  ).map(({ values: [vendor, bot, intent, engine], now, before, fakes }) => ({
    vendor,
    bot,
    intent,
    ...(group === 'bot' ? { engine } : {}),
    bots: distinct(now.map(({ bot_name: name }) => name)).length,
    ...readCounts(now),
    share: whole > 0 ? ratio(total(now) / whole) : 0,
    is_new: group === 'bot' && now.length > 0 && isNew(all, asked, bot ?? ''),
    ...figures(now, fakes),
    first_seen: moment(firstOf(all, [...now, ...before])) ?? figures(now).first_seen,
    series: days(asked).map((day) => sum(now.filter((hit) => dayOf(hit, asked) === day))),
    previous: compares(asked)
      ? {
          hits: sum(before),
          compared_with: comparedWith(asked, now),
          pages: readOf(before, 'page'),
        }
      : null,
    ...change(asked, now, before),
  }));
}

export function botSeries(all: readonly StoredHit[], asked: Recounted) {
  const { now, fakes } = select(all, asked, ['ai_bot']);
  return days(asked).map((day) => {
    const hits = now.filter((hit) => dayOf(hit, asked) === day);
    const spoofedHits = fakes.filter((hit) => dayOf(hit, asked) === day);
    const { hits: count, estimated, verified, spoofed, unknown } = figures(hits, spoofedHits);
    return {
      ...{ hits: count, estimated, ...intents(hits), verified, spoofed, unknown },
      estimates: estimates({
        ...hitsByIntent(hits),
        verified: hits.filter((hit) => hit.verified === true),
        spoofed: spoofedHits,
        unknown: hits.filter((hit) => hit.verified === null),
      }),
    };
  });
}

export function botTotals(all: readonly StoredHit[], asked: Recounted, group: 'bot' | 'vendor' = 'bot') {
  const { now, before, fakes } = select(all, asked, ['ai_bot']);
  return {
    ...figures(now, fakes),
    bots: distinct(now.map(({ bot_name: name }) => name)).length,
    vendors: distinct(now.map(({ vendor }) => vendor)).length,
    ...readCounts(now),
    gone: bots(all, asked, group).filter(({ hits }) => hits === 0).length,
    previous: compares(asked)
      ? {
          hits: sum(before),
          compared_with: comparedWith(asked, now),
          pages: readOf(before, 'page'),
        }
      : null,
    ...change(asked, now, before),
  };
}

/** Rows that are of the kind: of one path each, so that a row says of itself whether it was read; its days before are all of them. */
const isOfKind = ({ now }: { now: readonly StoredHit[] }, kind: Kind): boolean =>
  kind === 'all' || rowKind(now) === kind;

export function pages(all: readonly StoredHit[], asked: Recounted, kind: Kind) {
  return grouped(select(all, asked, ['ai_bot']), ({ host, path }) => [host, path])
    .filter((row) => isOfKind(row, kind))
    .map(({ values: [host, path], now, before, fakes }) => ({
      host,
      path,
      kind: rowKind(now),
      bots: distinct(now.map(({ bot_name: name }) => name)).length,
      ...figures(now, fakes, hitsByIntent(now)),
      ...intents(now),
      ...compared(asked, now, before),
    }));
}

const botPageOf = ({ host, path, bot_name: bot, vendor, intent }: StoredHit) => [
  ...[host, path, bot, vendor, intent],
];
export function botPages(all: readonly StoredHit[], asked: Recounted, kind: Kind) {
  return grouped(select(all, asked, ['ai_bot']), botPageOf)
    .filter((row) => isOfKind(row, kind))
    .map(({ values: [host, path, bot, vendor, intent], now, before, fakes }) => ({
      host,
      path,
      kind: rowKind(now),
      bot,
      vendor,
      intent,
      ...figures(now, fakes),
      ...compared(asked, now, before),
    }));
}

export function folders(all: readonly StoredHit[], asked: Recounted, prefix: string, kind: Kind) {
  const within = all.filter(({ path }) => path.startsWith(prefix));
  return grouped(ofKind(select(within, asked, ['ai_bot']), kind), ({ path }) => {
    const rest = path.slice(prefix.length);
    const slash = rest.indexOf('/');
    return slash === -1 ? [path, ''] : [prefix + rest.slice(0, slash + 1), 'folder'];
  }).map(({ values: [folder, type], now, before, fakes }) => ({
    folder,
    is_folder: type === 'folder',
    kind: type === 'folder' ? null : rowKind(now),
    pages: kind === 'file' ? null : readOf(now, 'page'),
    files: kind === 'page' ? null : readOf(now, 'file'),
    bots: distinct(now.map(({ bot_name: name }) => name)).length,
    ...figures(now, fakes, hitsByIntent(now)),
    ...intents(now),
    ...compared(asked, now, before),
  }));
}

export function pageTotals(
  all: readonly StoredHit[],
  asked: Recounted,
  kind: Kind,
  group: 'page' | 'folder' | 'bot_page',
) {
  const chosen = select(all, asked, ['ai_bot']);
  const row = group === 'bot_page' ? (hit: StoredHit) => JSON.stringify(botPageOf(hit)) : pageOf;
  const { now, before, fakes } = ofKind(chosen, kind, row);
  return {
    ...figures(now, fakes),
    ...readCounts(chosen.now),
    bots: distinct(now.map(({ bot_name: name }) => name)).length,
    ...compared(asked, now, before),
  };
}

const KINDS = {
  error: isError,
  client_error: isClientError,
  server_error: isServerError,
  redirect: isRedirect,
} as const;
export type FailureKind = keyof typeof KINDS;

const statusesOf = (failed: readonly StoredHit[]) =>
  distinct(failed.map(({ status }) => status))
    .map((status) => ({ status, hits: sum(failed.filter((hit) => hit.status === status)) }))
    .sort((a, b) => b.hits - a.hits || a.status - b.status);

export function failures(
  all: readonly StoredHit[],
  asked: Recounted,
  group: 'page' | 'bot' | 'bot_page',
  kind: FailureKind,
) {
  return grouped(select(all, asked, ['ai_bot']), ({ host, path, bot_name: bot, vendor, intent }) => [
    ...(group === 'bot' ? ['', ''] : [host, path]),
    ...(group === 'page' ? ['', '', ''] : [bot, vendor, intent]),
  ])
    .map(({ values: [host, path, bot, vendor, intent], now, fakes }) => {
      const failed = now.filter(KINDS[kind]);
      const genuine = failed.filter(({ verified }) => verified !== false);
      return {
        host,
        path,
        bot,
        vendor,
        intent,
        failures: sum(failed),
        hits: sum(now),
        failing_share: ratio(total(failed) / total(now)),
        estimated: figures(failed).estimated,
        redirects: figures(now).redirects,
        client_errors: figures(now).client_errors,
        server_errors: figures(now).server_errors,
        statuses: statusesOf(failed).slice(0, 5),
        bots: distinct(failed.map(({ bot_name: name }) => name)).length,
        on_demand: sum(failed.filter((hit) => hit.intent === 'on_demand')),
        spoofed: sum(fakes.filter(KINDS[kind])),
        estimates: estimates({
          hits: now,
          redirects: now.filter(isRedirect),
          client_errors: now.filter(isClientError),
          server_errors: now.filter(isServerError),
          on_demand: failed.filter((hit) => hit.intent === 'on_demand'),
          spoofed: fakes.filter(KINDS[kind]),
          ...Object.fromEntries(
            distinct(failed.map(({ status }) => status)).map((status) => [
              `statuses.${status}`,
              failed.filter((hit) => hit.status === status),
            ]),
          ),
        }),
        first_failure: figures(failed).first_seen,
        last_failure: figures(failed).last_seen,
        score: sum(
          genuine,
          (hit) =>
            hit.weight *
            (hit.intent === 'on_demand' ? 5 : hit.intent === 'search' ? 2 : 1) *
            (isServerError(hit) ? 2 : isRedirect(hit) ? 0.25 : 1),
        ),
      };
    })
    .filter((row) => row.failures > 0);
}

export function failureTotals(all: readonly StoredHit[], asked: Recounted, kind: FailureKind) {
  const { now, before, fakes } = select(all, asked, ['ai_bot']);
  const failed = now.filter(KINDS[kind]);
  const { redirects, client_errors, server_errors } = figures(now);
  const previous = sum(before.filter(KINDS[kind]));
  return {
    failures: sum(failed),
    hits: sum(now),
    failing_share: now.length > 0 ? ratio(total(failed) / total(now)) : 0,
    redirects,
    client_errors,
    server_errors,
    estimated: figures(failed).estimated,
    spoofed: sum(fakes.filter(KINDS[kind])),
    estimates: estimates({
      hits: now,
      redirects: now.filter(isRedirect),
      client_errors: now.filter(isClientError),
      server_errors: now.filter(isServerError),
      spoofed: fakes.filter(KINDS[kind]),
    }),
    paths: distinct(failed.map(pageOf)).length,
    bots: distinct(failed.map(({ bot_name: name }) => name)).length,
    previous: compares(asked) ? { failures: previous, compared_with: comparedWith(asked, failed) } : null,
    ...change(asked, failed, before.filter(KINDS[kind])),
  };
}

export function statuses(all: readonly StoredHit[], asked: Recounted, kind: FailureKind) {
  const failed = select(all, asked, ['ai_bot']).now.filter(KINDS[kind]);
  return statusesOf(failed).map(({ status, hits }) => {
    const of = failed.filter((hit) => hit.status === status);
    return {
      status,
      hits,
      estimated: figures(of).estimated,
      bots: distinct(of.map(({ bot_name: name }) => name)).length,
      paths: distinct(of.map(pageOf)).length,
    };
  });
}

const spoofedOf = (hits: readonly StoredHit[]) => hits.filter(({ verified }) => verified === false);

const trustOf = (asked: Recounted, now: readonly StoredHit[], before: readonly StoredHit[]) => {
  const { hits, estimated, verified, spoofed, unknown } = figures(now, spoofedOf(now));
  const by = (method: string) =>
    sum(now.filter((hit) => hit.verified === true && hit.verified_by === method));
  return {
    hits,
    estimated,
    verified,
    spoofed,
    unknown,
    estimates: estimates({
      verified: now.filter((hit) => hit.verified === true),
      spoofed: spoofedOf(now),
      unknown: now.filter((hit) => hit.verified === null),
      ...Object.fromEntries(
        ['signature', 'edge_cidr', 'edge_platform', 'server_cidr'].map((method) => [
          `methods.${method}`,
          now.filter((hit) => hit.verified === true && hit.verified_by === method),
        ]),
      ),
      ...Object.fromEntries(
        distinct(now.map((hit) => hit.verdict_reason)).map((word) => [
          `reasons.${word || 'not_recorded'}`,
          now.filter((hit) => hit.verdict_reason === word),
        ]),
      ),
    }),
    spoofed_share: now.length > 0 ? ratio(total(spoofedOf(now)) / total(now)) : 0,
    methods: {
      signature: by('signature'),
      edge_cidr: by('edge_cidr'),
      edge_platform: by('edge_platform'),
      server_cidr: by('server_cidr'),
    },
    reasons: Object.fromEntries(
      [...Object.keys(VERDICT_REASONS), ''].map((word) => [
        word || 'not_recorded',
        sum(now.filter((hit) => hit.verdict_reason === word)),
      ]),
    ),
    previous: compares(asked) ? { hits: sum(before), spoofed: sum(spoofedOf(before)) } : null,
    last_spoofed: figures(now.filter((hit) => hit.verified === false)).last_seen,
  };
};

/** Trust is about every visit. */
const ofAll = (asked: Recounted): Recounted => ({ ...asked, include: 'spoofed' });

export const trust = (all: readonly StoredHit[], asked: Recounted) =>
  grouped(select(all, ofAll(asked), ['ai_bot']), ({ vendor, bot_name: bot, intent }) => [
    vendor,
    bot,
    intent,
  ]).map(({ values: [vendor, bot, intent], now, before }) => ({
    vendor,
    bot,
    intent,
    ...trustOf(asked, now, before),
  }));

export function trustTotals(all: readonly StoredHit[], asked: Recounted) {
  const { now, before } = select(all, ofAll(asked), ['ai_bot']);
  return {
    ...trustOf(asked, now, before),
    ...change(asked, spoofedOf(now), spoofedOf(before)),
  };
}

export const spoofSources = (all: readonly StoredHit[], asked: Recounted) =>
  grouped(
    select(
      all.filter(({ verified }) => verified === false),
      ofAll(asked),
      ['ai_bot'],
    ),
    ({ asn, country }) => [String(asn), country],
  ).map(({ values: [asn, country], now }) => ({
    asn: Number(asn),
    country,
    hits: sum(now),
    estimated: estimatedSum(now),
    bots: distinct(now.map(({ bot_name: name }) => name)).length,
    paths: distinct(now.map(pageOf)).length,
    claimed: distinct(now.map(({ bot_name: name }) => name))
      .sort()
      .slice(0, 10),
    first_seen: figures(now).first_seen,
    last_seen: figures(now).last_seen,
  }));

const signalled = (now: readonly StoredHit[]) =>
  Object.fromEntries(
    ['referrer', 'app', 'utm_source'].map((signal) => [
      `by_signal.${signal}`,
      now.filter((hit) => hit.referral_signal === signal),
    ]),
  );
const referralOf = (asked: Recounted, now: readonly StoredHit[], before: readonly StoredHit[]) => {
  const by = (signal: string) => sum(now.filter((hit) => hit.referral_signal === signal));
  return {
    visits: sum(now),
    estimated: figures(now).estimated,
    by_signal: { referrer: by('referrer'), app: by('app'), utm_source: by('utm_source') },
    estimates: estimates(signalled(now)),
    pages: distinct(now.map(pageOf)).length,
    previous: compares(asked) ? { visits: sum(before), compared_with: comparedWith(asked, now) } : null,
    ...change(asked, now, before),
  };
};

export const referrals = (all: readonly StoredHit[], asked: Recounted, group: 'page' | 'engine') =>
  grouped(select(all, asked, ['ai_referral']), ({ referrer_engine: engine, host, path }) =>
    group === 'engine' ? [engine, '', ''] : [engine, host, path],
  ).map(({ values: [engine, host, path], now, before }) => ({
    engine,
    host,
    path,
    ...referralOf(asked, now, before),
    failed: sum(now.filter(isError)),
    estimates: estimates({ ...signalled(now), failed: now.filter(isError) }),
    first_seen: figures(now).first_seen,
    last_seen: figures(now).last_seen,
  }));

export function referralTotals(all: readonly StoredHit[], asked: Recounted) {
  const { now, before } = select(all, asked, ['ai_referral']);
  return {
    ...referralOf(asked, now, before),
    engines: distinct(now.map(({ referrer_engine: engine }) => engine)).length,
  };
}

/** Hits of each slice of collector traffic; `exact` where all were sent. */
export function slices(all: readonly StoredHit[], asked: Recounted, pagesAlone: boolean) {
  const { now } = select(all, ofAll(asked), ['ai_bot', 'ai_referral', 'sample', 'search_engine']);
  const of = (condition: (hit: StoredHit) => boolean) => {
    const hits = now.filter(
      (hit) => hit.source === 'edge_worker' && !(pagesAlone && isFile(hit)) && condition(hit),
    );
    return {
      hits: sum(hits),
      exact: hits.filter(({ sample_rate: rate }) => rate === 0 || rate === 1).length,
    };
  };
  return {
    ai_bots: of((hit) => hit.class === 'ai_bot' && isCounted(hit, asked) && isMeant(hit, asked.filter)),
    ai_referrals: of((hit) => hit.class === 'ai_referral'),
    other_bots: of((hit) =>
      hit.class === 'ai_bot'
        ? !isCounted(hit, asked)
        : hit.class === 'search_engine' || (hit.class === 'sample' && hit.other_bot),
    ),
    people: of((hit) => hit.class === 'sample' && !hit.other_bot),
  };
}

/** Rows by version of the collector. */
export function versions(all: readonly StoredHit[], asked: Recounted) {
  const { now } = select(all, ofAll(asked), ['ai_bot', 'ai_referral', 'sample', 'search_engine']);
  const workers = now.filter(({ source }) => source === 'edge_worker');
  return distinct(workers.map(({ worker_version: version }) => version)).map((version) => {
    const hits = workers.filter((hit) => hit.worker_version === version);
    return {
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
