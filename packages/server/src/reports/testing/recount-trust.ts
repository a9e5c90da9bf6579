/** Trust, and where impersonated bots come from. See `recount.ts`. */
import { type StoredHit, VERDICT_REASONS } from '@ghostlight/core';
import {
  change,
  comparedWith,
  compares,
  distinct,
  estimatedSum,
  estimates,
  figures,
  grouped,
  pageOf,
  type Recounted,
  ratio,
  select,
  sum,
  total,
} from './recount-hits.ts';

export const spoofedOf = (hits: readonly StoredHit[]) => hits.filter(({ verified }) => verified === false);

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
export const ofAll = (asked: Recounted): Recounted => ({ ...asked, include: 'spoofed' });

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

function changeOf(
  asked: Recounted,
  now: readonly StoredHit[],
  before: readonly StoredHit[],
  verdict: true | null,
) {
  const of = (hits: readonly StoredHit[]) => hits.filter(({ verified }) => verified === verdict);
  return {
    previous: compares(asked) ? { hits: sum(of(before)), compared_with: comparedWith(asked, of(now)) } : null,
    ...change(asked, of(now), of(before)),
  };
}

export function trustTotals(all: readonly StoredHit[], asked: Recounted) {
  const { now, before } = select(all, ofAll(asked), ['ai_bot']);
  const of = trustOf(asked, now, before);
  return {
    ...of,
    previous: of.previous && { ...of.previous, compared_with: comparedWith(asked, spoofedOf(now)) },
    ...change(asked, spoofedOf(now), spoofedOf(before)),
    changes: {
      verified: changeOf(asked, now, before, true),
      unknown: changeOf(asked, now, before, null),
    },
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
    // The numbers of these tests are reserved for documentation: no network has one.
    network: '',
  }));
