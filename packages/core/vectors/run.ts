/**
 * Runs every vector against lists. One runner for Node, workerd and the maintenance of the lists, so that all of them mean the
 * same by "right". It has no assertions of its own: it returns what failed.
 */
import {
  type BotLists,
  classify,
  compileLists,
  compileRanges,
  type ObservedHit,
  parseCidr,
  parseIp,
  rangesContain,
  type StoredHit,
  toStoredHit,
  truncateIp,
  UNSAID,
  VERIFIABLE_ENGINES,
} from '../src/index.ts';
import cidr from './cidr.json' with { type: 'json' };
import userAgents from './classify.json' with { type: 'json' };
import referrers from './referrers.json' with { type: 'json' };
import truncate from './truncate.json' with { type: 'json' };
import verdicts from './verdict.json' with { type: 'json' };

export interface VectorReport {
  ran: number;
  failures: string[];
  /** User agents that a vendor documents, and how many of them were recognised as the right bot. */
  documented: { total: number; found: number };
}

type IsBot = (userAgent: string) => boolean;

/** An ordinary page view; vectors override what they are about. */
export function observedHit(members: Partial<ObservedHit>): ObservedHit {
  return {
    source: 'edge_worker',
    at: 1_796_000_000_000,
    ...UNSAID,
    host: 'shop.example',
    method: 'GET',
    path: '/',
    status: 200,
    bytes: 1024,
    country: 'DE',
    asn: 3320,
    ...members,
  };
}

/** @param isBot the human gate that the caller uses in production (`isbot`) */
export function runVectors(lists: BotLists, isBot: IsBot): VectorReport {
  const report: VectorReport = { ran: 0, failures: [], documented: { total: 0, found: 0 } };
  const check = (what: string, expected: unknown, actual: unknown): boolean => {
    report.ran++;
    const same = JSON.stringify(expected) === JSON.stringify(actual);
    if (!same)
      report.failures.push(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
    return same;
  };
  runUserAgents(lists, isBot, report, check);
  runReferrers(lists, isBot, check);
  for (const { ip, truncated } of truncate.cases) check(`truncate ${ip}`, truncated, truncateIp(ip));
  runCidr(check);
  runVerdicts(lists, isBot, check);
  return report;
}

type Check = (what: string, expected: unknown, actual: unknown) => boolean;

function runUserAgents(lists: BotLists, isBot: IsBot, report: VectorReport, check: Check): void {
  const compiled = compileLists(lists);
  for (const { user_agent: userAgent, bot, kind } of userAgents.cases) {
    const verdict = classify(observedHit({ userAgent }), compiled, isBot);
    const named = verdict.class === 'ai_bot' ? verdict.bot_name : null;
    const same = check(`user agent ${userAgent}`, bot, named);
    if (kind !== 'documented') continue;
    report.documented.total++;
    if (same) report.documented.found++;
  }
}

const PERSON = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';

function runReferrers(lists: BotLists, isBot: IsBot, check: Check): void {
  const compiled = compileLists(lists);
  for (const { referrer, utm_source: utmSource, host, own, sampled, engine, signal } of referrers.cases) {
    const query = new Map(utmSource === undefined ? [] : [['utm_source', utmSource]]);
    const hit = observedHit({
      ...{ userAgent: PERSON, referrer, query },
      ...(host === undefined ? {} : { host }),
      ...(sampled === true ? { sampleRate: 0.5 } : {}),
    });
    const verdict = classify(hit, compiled, isBot, own ?? []);
    const found = verdict.class === 'ai_referral' ? [verdict.engine, verdict.signal] : [null, null];
    check(`referrer ${referrer} utm_source ${utmSource ?? ''}`, [engine, signal], found);
  }
}

function runCidr(check: Check): void {
  for (const { prefix, ip, inside } of cidr.cases) {
    const address = parseIp(ip);
    if (address === null) {
      check(`address ${ip}`, 'an address', null);
      continue;
    }
    check(`prefix ${prefix} parses`, inside !== null, parseCidr(prefix) !== null);
    check(`prefix ${prefix} holds ${ip}`, inside ?? false, rangesContain(compileRanges([prefix]), address));
  }
}

function runVerdicts(lists: BotLists, isBot: IsBot, check: Check): void {
  const ranges = verdicts.ip_ranges;
  const compiled = compileLists({
    ...lists,
    ip_ranges: ranges,
    verifiable_engines: [...VERIFIABLE_ENGINES],
  });
  for (const { why, hit: members, expect } of verdicts.cases) {
    const hit = observedHit(hitOf(members));
    const verdict = classify(hit, compiled, isBot);
    const context = { id: '', organizationId: '', attributionId: '', receivedAt: 0, isBot };
    const stored = verdict.class === 'dropped' ? null : toStoredHit(hit, verdict, compiled, context);
    check(`verdict: ${why}`, expect, outcome(verdict.class, stored, expect));
  }
}

type VerdictCase = (typeof verdicts.cases)[number];

function hitOf(members: VerdictCase['hit']): Partial<ObservedHit> {
  return {
    userAgent: members.user_agent,
    source: (members.source ?? 'edge_worker') as ObservedHit['source'],
    ip: members.ip ?? null,
    edgeVerified: members.edge_verified ?? null,
    edgeVerifiedBy: (members.edge_verified_by ?? null) as ObservedHit['edgeVerifiedBy'],
    edgeUnchecked: members.edge_unchecked ?? false,
    edgeRangesAsOf: members.edge_ranges_as_of ?? '',
    ...(members.at === undefined ? {} : { at: Date.parse(members.at) }),
    platformCategory: members.platform_category ?? null,
    signatureAgent: members.signature_agent ?? '',
    sampleRate: members.sample_rate ?? null,
    referrer: members.referrer ?? '',
  };
}

/** The members that the vector names, in its own order. */
function outcome(hitClass: string, stored: StoredHit | null, expect: VerdictCase['expect']): unknown {
  return {
    class: hitClass,
    bot: stored?.bot_name ?? '',
    verified: stored?.verified ?? null,
    verified_by: stored?.verified_by ?? '',
    ...(hitClass === 'ai_bot' ? { reason: stored?.verdict_reason } : {}),
    ...('ranges_as_of' in expect ? { ranges_as_of: stored?.ranges_as_of } : {}),
    ...('intent' in expect ? { intent: stored?.intent } : {}),
    ...('engine' in expect ? { engine: stored?.referrer_engine } : {}),
  };
}
