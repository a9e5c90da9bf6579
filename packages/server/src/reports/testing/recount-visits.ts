/** Single visits out of raw rows in plain TypeScript: which pass the filters of the explorer, and how many are in each hour or day. */
import { isFilePath, type StoredHit } from '@ghostlight/core';

/** As in a query; absent members narrow nothing. */
export type VisitQuestion = Readonly<Record<string, string>>;

const list = (text: string | undefined): string[] => (text === undefined ? [] : text.split(','));
const holds = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());
const same = (text: string, other: string): boolean => text.toLowerCase() === other.toLowerCase();

const verdictOf = ({ class: of, verified }: StoredHit): string =>
  of !== 'ai_bot' && of !== 'search_engine'
    ? ''
    : verified === null
      ? 'unknown'
      : verified
        ? 'verified'
        : 'spoofed';

function hasStatus(status: number, word: string): boolean {
  if (word === 'ok') return (status >= 200 && status < 300) || status === 304;
  if (word === 'redirect') return status >= 300 && status < 400 && status !== 304;
  if (word === 'error') return status >= 400 && status < 600;
  return word.endsWith('xx')
    ? `${status}`.length === 3 && `${status}`[0] === word[0]
    : status === Number(word);
}

const TESTS: Readonly<Record<string, (hit: StoredHit, value: string) => boolean>> = {
  bot: (hit, value) => same(hit.bot_name, value),
  vendor: (hit, value) => same(hit.vendor, value),
  intent: (hit, value) => hit.intent === value,
  verified: (hit, value) =>
    verdictOf(hit) === { true: 'verified', false: 'spoofed', unknown: 'unknown' }[value],
  verdict: (hit, value) => list(value).includes(verdictOf(hit) || 'none'),
  verdict_reason: (hit, value) => hit.verdict_reason === value,
  verified_by: (hit, value) => hit.verified_by === value,
  path: (hit, value) => hit.path.startsWith(value),
  page: (hit, value) => hit.path === value,
  path_contains: (hit, value) => holds(hit.path, value),
  kind: (hit, value) => isFilePath(hit.path) === (value === 'file'),
  host: (hit, value) => same(hit.host, value),
  status: (hit, value) => list(value).some((word) => hasStatus(hit.status, word)),
  country: (hit, value) => hit.country === value,
  asn: (hit, value) => hit.asn === Number(value),
  source: (hit, value) => value.split(',').includes(hit.source),
  version: (hit, value) => hit.worker_version === value,
  user_agent: (hit, value) => holds(hit.user_agent, value),
  engine: (hit, value) => hit.referrer_engine === value,
  referral_signal: (hit, value) => hit.referral_signal === value,
  other_bot: (hit, value) => hit.other_bot === (value === 'true'),
  since: (hit, value) => hit.at >= Date.parse(value),
  until: (hit, value) => hit.at < Date.parse(value),
};

/** Newest first; those of one moment in the order in which they are given. */
export function visitsOf(hits: readonly StoredHit[], question: VisitQuestion): StoredHit[] {
  const classes = list(question['class'] ?? 'ai_bot,ai_referral,search_engine');
  return hits
    .filter(
      (hit) =>
        classes.includes(hit.class) &&
        Object.entries(question).every(([name, value]) => TESTS[name]?.(hit, value) !== false),
    )
    .toSorted((a, b) => b.at - a.at);
}

/** As the answer counts them. */
export function visitCounts(hits: readonly StoredHit[]) {
  const of = (verdict: string) => hits.filter((hit) => verdictOf(hit) === verdict).length;
  return {
    hits: hits.length,
    verified: of('verified'),
    unknown: of('unknown'),
    spoofed: of('spoofed'),
    people: hits.filter((hit) => verdictOf(hit) === '' && String(hit.class) !== 'test').length,
    tests: hits.filter((hit) => String(hit.class) === 'test').length,
  };
}

export const visitTotals = (hits: readonly StoredHit[]) => ({
  ...visitCounts(hits),
  weight: Math.round(hits.reduce((sum, { weight }) => sum + weight, 0) * 1_000) / 1_000,
  samples: hits.filter(({ sample_rate: rate }) => rate > 0 && rate < 1).length,
});
