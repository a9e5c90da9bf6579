/** Decides whether a bot is what it claims to be. Three values: true, false (spoofed), null (unknown). Unknown never means spoofed. */
import { type BotIdentity, type CompiledLists, startOfDay } from './classify.ts';
import type { AddressFlaw, ObservedHit, VerdictReason, VerifiedBy } from './hit.ts';
import { parseIp } from './ip.ts';
import { FIELD_CHECKED_BOTS, type SignatureAgent } from './lists.ts';
import { rangesContain } from './ranges.ts';
import { DAY_MS } from './time.ts';

export interface Verification {
  readonly verified: boolean | null;
  /** Set only when `verified` is true. */
  readonly verified_by: VerifiedBy | '';
  readonly verdict_reason: VerdictReason;
  /** Day of the ranges that decided (`YYYY-MM-DD`), or empty. */
  readonly ranges_as_of: string;
}

/**
 * How far from a visit the day of its ranges may lie for them to refute it. Of ChatGPT-User's prefixes a list 31 days old lacked a fifth;
 * a vendor adds some every week, and a daily refresh that has failed for a week is broken. It counts in both directions: an imported
 * visit of last year came from addresses that its vendor has given back since.
 */
export const FRESH_DAYS = 7;
const FRESH_MS = FRESH_DAYS * DAY_MS;

/**
 * @param day epoch milliseconds at which the day of the ranges begins; NaN: of unknown age
 * @param at epoch milliseconds of the visit
 */
function mayRefute(day: number, at: number): boolean {
  // The reading was at some moment of its day, so the day's end counts for what came later.
  return at >= day - FRESH_MS && at < day + FRESH_MS + DAY_MS;
}

export interface RangeFinding {
  /** null: the ranges say nothing about this address. */
  readonly verdict: boolean | null;
  readonly reason: VerdictReason;
  readonly asOf: string;
}

const finding = (verdict: boolean | null, reason: VerdictReason, asOf = ''): RangeFinding => ({
  verdict,
  reason,
  asOf,
});
const NOT_PUBLISHED = finding(null, 'no_ranges_published');
const NOT_READ = finding(null, 'ranges_not_read');
const NO_ADDRESS = finding(null, 'no_address');
const SAMPLED = /* @__PURE__ */ finding(null, 'sampled_address');

/**
 * Checks an address against the ranges that the vendor publishes for this bot, never those of the vendor's other bots: some
 * prefixes are in two files, most are not.
 * @param at epoch milliseconds of the visit
 */
export function checkRanges(
  lists: Pick<CompiledLists, 'ranges'>,
  botName: string,
  ip: string | null,
  at: number,
): RangeFinding {
  const ranges = lists.ranges.get(botName);
  if (ranges === undefined) return NOT_PUBLISHED;
  if (ranges.empty) return NOT_READ;
  const address = ip === null ? null : parseIp(ip.trim());
  if (address === null) return NO_ADDRESS;
  const { asOf } = ranges;
  if (rangesContain(ranges.set, address)) return finding(true, 'ranges', asOf);
  if (!ranges.complete) return finding(null, 'partial_ranges', asOf);
  return mayRefute(ranges.day, at)
    ? finding(false, 'outside_ranges', asOf)
    : finding(null, 'ranges_stale', asOf);
}

/** What of the lists a verdict needs. */
export type VerifyingLists = Pick<CompiledLists, 'ranges' | 'signatureAgents'>;

export type VerifiableHit = Pick<
  ObservedHit,
  | 'at'
  | 'userAgent'
  | 'ip'
  | 'edgeVerified'
  | 'edgeVerifiedBy'
  | 'edgeUnchecked'
  | 'edgeRangesAsOf'
  | 'platformCategory'
  | 'signatureAgent'
  | 'sampleRate'
  | 'addressFlaw'
> &
  Partial<Pick<ObservedHit, 'signatureCheck'>>;

/** The verdict as stored, from what the edge said and from our own range check. */
export function judge(hit: VerifiableHit, bot: BotIdentity, lists: VerifyingLists): Verification {
  if (hit.platformCategory?.startsWith('AI_') === true) return proven('edge_platform', 'edge_platform');
  if (hit.edgeVerified === true && hit.edgeVerifiedBy === 'edge_cidr')
    return proven('edge_cidr', 'edge_ranges', hit.edgeRangesAsOf);
  const flaw = flawOfSignature(hit, bot, lists);
  if (flaw === null && hit.edgeVerified === true)
    return proven('signature', hit.signatureCheck === 'verified' ? 'log_signature' : 'signature');
  if (hit.edgeVerified === false && !hit.edgeUnchecked) return edgeRefusal(hit, bot, lists);
  return ownCheck(hit, bot, lists, flaw);
}

/** Why a request is not proven by its signature; null: it is, or it has none. */
function flawOfSignature(hit: VerifiableHit, bot: BotIdentity, lists: VerifyingLists): VerdictReason | null {
  if (hit.edgeVerified === true) return flawOfClaim(hit, bot, lists);
  const { signatureCheck: check = null } = hit;
  return check === 'verified' ? null : check;
}

/**
 * What is wrong with a `true` of the edge that is not about addresses. A signature proves only its signer, and only an agent that the
 * list names: some collectors trust the key directory that a request itself names.
 * @returns null when it counts
 */
function flawOfClaim(hit: VerifiableHit, bot: BotIdentity, lists: VerifyingLists): VerdictReason | null {
  if (hit.edgeVerifiedBy !== 'signature') return 'claim_without_method';
  const agent = hit.signatureAgent === '' ? null : lists.signatureAgents.find(hit.signatureAgent);
  if (agent === null) return 'signature_agent_unknown';
  return signsFor(agent, bot.bot_name) ? null : 'signature_of_another';
}

/** Whether an agent's signature is proof of a bot. */
export function signsFor(agent: Pick<SignatureAgent, 'bot_name' | 'bots'>, botName: string): boolean {
  return agent.bot_name === botName || agent.bots?.includes(botName) === true;
}

/**
 * The edge's `false` of a check that it made. It counts where the service itself knows that the edge could tell: the bot's set is
 * whole, and the ranges that it used are near the visit. An edge that names no day holds the eight files of collectors in the field: they
 * fetch those themselves, so the age of our own reading counts.
 */
function edgeRefusal(hit: VerifiableHit, bot: BotIdentity, lists: VerifyingLists): Verification {
  const ranges = lists.ranges.get(bot.bot_name);
  if (runsOnUsersMachine(hit.userAgent)) return unknown('users_machine');
  if (ranges === undefined) return unknown('no_ranges_published');
  if (ranges.empty) return unknown('ranges_not_read');
  if (!ranges.complete) return unknown('partial_ranges', ranges.asOf);
  const named = hit.edgeRangesAsOf;
  if (named === '' && !FIELD_CHECKED_BOTS.has(bot.bot_name)) return unknown('edge_lists_unknown');
  const [asOf, day] = named === '' ? [ranges.asOf, ranges.day] : [named, startOfDay(named)];
  return mayRefute(day, hit.at) ? spoofed('edge_says_no', asOf) : unknown('ranges_stale', asOf);
}

/** The vendor's ranges are there, and the address lies in them or not. */
const WAS_LOOKED_UP: ReadonlySet<VerdictReason> = new Set([
  'ranges',
  'outside_ranges',
  'partial_ranges',
  'ranges_stale',
]);
const FLAW_REASONS: Readonly<Record<AddressFlaw, VerdictReason>> = {
  anonymized: 'anonymized_address',
  round: 'anonymized_address',
  proxy: 'proxy_address',
};

/** @param flaw why a claim of the edge does not count; it is the reason where the address says nothing either */
function ownCheck(
  hit: VerifiableHit,
  bot: BotIdentity,
  lists: VerifyingLists,
  flaw: VerdictReason | null,
): Verification {
  // A sample's address is truncated: its /24 may lie half inside a range, so it proves nothing in either direction.
  const found = hit.sampleRate === null ? checkRanges(lists, bot.bot_name, hit.ip, hit.at) : SAMPLED;
  // The end of an anonymized address is made up, and most vendors' prefixes are longer than what is left of it.
  const isProof = found.verdict === true && hit.addressFlaw !== 'anonymized';
  if (isProof) return proven('server_cidr', 'ranges', found.asOf);
  if (runsOnUsersMachine(hit.userAgent)) return unknown('users_machine');
  if (hit.addressFlaw !== null && WAS_LOOKED_UP.has(found.reason))
    return unknown(FLAW_REASONS[hit.addressFlaw]);
  if (found.verdict === false) return spoofed('outside_ranges', found.asOf);
  if (flaw !== null) return unknown(flaw);
  if (!hit.edgeUnchecked || found.reason !== 'no_address') return unknown(found.reason, found.asOf);
  // The edge has the address and could not use it. Where it names the day of its ranges, they were old, or of the day and only a part.
  const asOf = hit.edgeRangesAsOf;
  if (asOf === '') return unknown('edge_unchecked');
  return unknown(mayRefute(startOfDay(asOf), hit.at) ? 'partial_ranges' : 'ranges_stale', asOf);
}

const proven = (verified_by: VerifiedBy, verdict_reason: VerdictReason, ranges_as_of = ''): Verification => ({
  verified: true,
  verified_by,
  verdict_reason,
  ranges_as_of,
});
const spoofed = (verdict_reason: VerdictReason, ranges_as_of: string): Verification => ({
  verified: false,
  verified_by: '',
  verdict_reason,
  ranges_as_of,
});
const unknown = (verdict_reason: VerdictReason, ranges_as_of = ''): Verification => ({
  verified: null,
  verified_by: '',
  verdict_reason,
  ranges_as_of,
});

/** `Claude-User (claude-code/2.1.86; …)` is Claude Code on a developer's own machine: outside the ranges without being false. */
const runsOnUsersMachine = (userAgent: string): boolean => userAgent.toLowerCase().includes('(claude-code/');
