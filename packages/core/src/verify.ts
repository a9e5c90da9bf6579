/** Judges whether a bot is who it says. Three values: true, false (spoofed), null (unknown). Unknown never means spoofed. */
import type { BotIdentity, CompiledLists } from './classify.ts';
import type { ObservedHit, VerifiedBy } from './hit.ts';
import { parseIp } from './ip.ts';
import { rangesContain } from './ranges.ts';

export interface Verification {
  readonly verified: boolean | null;
  /** Set only when `verified` is true. */
  readonly verified_by: VerifiedBy | '';
}

const UNKNOWN: Verification = { verified: null, verified_by: '' };
const SPOOFED: Verification = { verified: false, verified_by: '' };
const proven = (by: VerifiedBy): Verification => ({ verified: true, verified_by: by });

/**
 * Checks an address against the ranges that the vendor publishes for this bot, never those of the vendor's other bots: some
 * prefixes are in two files, most are not.
 * @returns null when there is no address, nothing published, or outside of a set known to be incomplete
 */
export function rangeVerdict(lists: CompiledLists, botName: string, ip: string | null): boolean | null {
  const ranges = lists.ranges.get(botName);
  if (ranges === undefined || ip === null) return null;
  const address = parseIp(ip.trim());
  if (address === null) return null;
  if (rangesContain(ranges.set, address)) return true;
  return ranges.complete ? false : null;
}

export type VerifiableHit = Pick<
  ObservedHit,
  | 'source'
  | 'userAgent'
  | 'ip'
  | 'edgeVerified'
  | 'edgeVerifiedBy'
  | 'edgeUnchecked'
  | 'platformCategory'
  | 'signatureAgent'
  | 'sampleRate'
>;

/** The verdict as stored, from what the edge said and from our own range check. */
export function judge(hit: VerifiableHit, bot: BotIdentity, lists: CompiledLists): Verification {
  if (hit.source === 'edge_logpush' && hit.platformCategory?.startsWith('AI_'))
    return proven('edge_platform');
  if (hit.edgeVerified === true && hit.edgeVerifiedBy !== null && !isForeignSignature(hit, bot, lists)) {
    return proven(hit.edgeVerifiedBy);
  }
  if (hit.edgeVerified === false && !hit.edgeUnchecked)
    return mayBeCalledSpoofed(hit, bot, lists) ? SPOOFED : UNKNOWN;
  // A sample's address is truncated: its /24 may lie half inside a range, so it proves nothing in either direction.
  const verdict = rangeVerdict(lists, bot.bot_name, hit.sampleRate === null ? hit.ip : null);
  if (verdict === true) return proven('server_cidr');
  return verdict === false && mayBeCalledSpoofed(hit, bot, lists) ? SPOOFED : UNKNOWN;
}

/** A signature proves only its signer: one of another vendor says nothing about the bot that the user agent claims. */
function isForeignSignature(hit: VerifiableHit, bot: BotIdentity, lists: CompiledLists): boolean {
  if (hit.edgeVerifiedBy !== 'signature' || hit.signatureAgent === '') return false;
  const signer = lists.signatureAgents.find(hit.signatureAgent);
  return signer === null || signer.engine !== bot.engine;
}

/**
 * Outside of the ranges means spoofed only where ranges are published for this very bot, whole, and all of its traffic comes
 * from them. `verifiable_engines` alone is too wide: Google publishes none for some of its fetchers.
 */
function mayBeCalledSpoofed(hit: VerifiableHit, bot: BotIdentity, lists: CompiledLists): boolean {
  return (
    lists.verifiableEngines.has(bot.engine) &&
    lists.ranges.get(bot.bot_name)?.complete === true &&
    !runsOnUsersMachine(hit.userAgent)
  );
}

/** `Claude-User (claude-code/2.1.86; …)` is Claude Code on a developer's own machine: outside the ranges without being false. */
const runsOnUsersMachine = (userAgent: string): boolean => userAgent.toLowerCase().includes('(claude-code/');
