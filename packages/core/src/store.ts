/** Turns a classified hit into the row that is kept. Every privacy rule of the contract is applied here, in one place. */
import { bareHost, referralQuery, truncateIp } from './anonymize.ts';
import type { BotIdentity, CompiledLists, Verdict } from './classify.ts';
import type { ObservedHit, StoredHit } from './hit.ts';
import { judge, type Verification, type VerifyingLists } from './verify.ts';

export type KeptVerdict = Exclude<Verdict, { class: 'dropped' }>;

/** What the receiving service knows besides the hit itself. */
export interface StoringContext {
  /** UUID: `hitId` where there is a ray id, random otherwise. */
  readonly id: string;
  readonly organizationId: string;
  /** Lower-case UUID, after the key's default and ownership were applied. */
  readonly attributionId: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** Whether a user agent is not a person's (`isbot`, 1–3 µs); asked only for samples, whose user agent nothing else has classified. */
  readonly isBot: (userAgent: string) => boolean;
}

/** How many visits a hit stands for: 1 / rate for samples (also when reclassified) and for logs of a share of all requests, 1 otherwise. */
export function weightOf(
  hit: Pick<ObservedHit, 'sampleRate'> & Partial<Pick<ObservedHit, 'loggedShare'>>,
): number {
  const rate = hit.sampleRate ?? hit.loggedShare ?? null;
  return rate !== null && rate > 0 && rate <= 1 ? 1 / rate : 1;
}

/** What is stored of whether a hit is genuine; empty for people. */
export type StoredVerification = Verification | typeof NO_VERDICT;

/** Of people: nothing to verify. */
export const NO_VERDICT = { verified: null, verified_by: '', verdict_reason: '', ranges_as_of: '' } as const;

/**
 * The row of a hit that is kept. The address is used for the verdict here and then forgotten, except a sample's, truncated again.
 * @param lists by which the bot's address and signature are verified; of a search crawler, those that hold its ranges
 */
export function toStoredHit(
  hit: ObservedHit,
  verdict: KeptVerdict,
  lists: VerifyingLists & Pick<CompiledLists, 'version'>,
  context: StoringContext,
): StoredHit {
  return anonymizeHit(hit, verdict, verifyHit(hit, verdict, lists), lists.version, context);
}

/** Whether a crawler is who it says it is: the only use that is made of its address. */
export function verifyHit(hit: ObservedHit, verdict: KeptVerdict, lists: VerifyingLists): StoredVerification {
  const bot = crawlerOf(verdict);
  return bot === null ? NO_VERDICT : judge(hit, bot, lists);
}

/** What of a classified hit may be kept: from here on no full address exists. @param listVersion of the lists that classified it */
export function anonymizeHit(
  hit: ObservedHit,
  verdict: KeptVerdict,
  verification: StoredVerification,
  listVersion: number,
  context: StoringContext,
): StoredHit {
  const bot = crawlerOf(verdict);
  const referral = verdict.class === 'ai_referral' ? verdict : null;
  return {
    id: context.id,
    organization_id: context.organizationId,
    attribution_id: context.attributionId,
    at: hit.at,
    received_at: context.receivedAt,
    source: hit.source,
    class: verdict.class,
    bot_name: bot?.bot_name ?? '',
    vendor: bot?.vendor ?? '',
    engine: bot?.engine ?? '',
    intent: bot?.intent ?? '',
    verified: verification.verified,
    verified_by: verification.verified_by,
    verdict_reason: verification.verdict_reason,
    ranges_as_of: verification.ranges_as_of,
    signature_agent: bot === null ? '' : hit.signatureAgent,
    referrer_engine: referral?.engine ?? '',
    referral_signal: referral?.signal ?? '',
    host: hit.host,
    method: hit.method,
    path: hit.path,
    query_params: keptQuery(hit, verdict),
    status: hit.status,
    bytes: hit.bytes,
    country: hit.country,
    asn: hit.asn,
    user_agent: hit.userAgent,
    referrer: bot === null ? bareHost(hit.referrer) : hit.referrer,
    sample_ip: verdict.class === 'sample' && hit.ip !== null ? (truncateIp(hit.ip) ?? '') : '',
    sample_rate: hit.sampleRate ?? hit.loggedShare ?? 0,
    weight: weightOf(hit),
    other_bot: verdict.class === 'sample' && context.isBot(hit.userAgent),
    worker_version: hit.workerVersion,
    ray_id: hit.rayId,
    waf_action: hit.wafAction,
    list_version: listVersion,
  };
}

/** The crawler that a visit is of, or that a test names. */
function crawlerOf(verdict: KeptVerdict): BotIdentity | null {
  if (verdict.class === 'ai_bot' || verdict.class === 'search_engine') return verdict;
  return verdict.class === 'test' ? verdict.bot : null;
}

/** A crawler's query is no person's; a referral's is cut to campaign tags and click ids; a sample is anonymous and keeps none. */
function keptQuery(hit: ObservedHit, verdict: KeptVerdict): Record<string, string> {
  if (hit.query.size === 0) return {};
  if (crawlerOf(verdict) !== null) return Object.fromEntries(hit.query);
  return verdict.class === 'ai_referral' ? referralQuery(hit.query) : {};
}
