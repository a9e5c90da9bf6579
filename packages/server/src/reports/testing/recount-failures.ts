/** Failures, and statuses. See `recount.ts`. */
import type { StoredHit } from '@ghostlight/core';
import {
  change,
  comparedWith,
  compares,
  distinct,
  estimates,
  figures,
  grouped,
  isClientError,
  isError,
  isRedirect,
  isServerError,
  pageOf,
  type Recounted,
  ratio,
  select,
  sum,
  total,
} from './recount-hits.ts';

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
