/** Visits that assistants sent. See `recount.ts`. */
import type { StoredHit } from '@ghostlight/core';
import {
  change,
  comparedWith,
  compares,
  distinct,
  estimates,
  figures,
  grouped,
  isError,
  pageOf,
  type Recounted,
  select,
  sum,
} from './recount-hits.ts';

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
