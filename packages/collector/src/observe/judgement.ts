/** Which class a visit belongs to, and whether a bot is who it says. */
import { type CompiledLists, checkRanges, classify, signsFor, type Verdict } from '@ghostlight/core';
import { namesListedAgent, type SignatureOutcome, type SignatureVerifier } from '../signature/index.ts';
import { classifiable, type Traits, type Visit } from './visit.ts';

/** The wire's verdict of an AI bot. */
export interface BotProof {
  readonly verified: boolean;
  readonly by: 'signature' | 'edge_cidr' | null;
  /** Directory URL of the signer, where the signature is the proof. */
  readonly signer: string | null;
  /** Nothing to check against, or nothing fresh enough: false says nothing. */
  readonly unchecked: boolean;
  /** Day of the ranges that were asked (`YYYY-MM-DD`); empty: none, or of unknown age. */
  readonly rangesAsOf: string;
}

export type Judgement =
  | { readonly class: 'ai_bot'; readonly proof: BotProof }
  | { readonly class: 'ai_referral' }
  | { readonly class: 'other' };

const UNSIGNED: SignatureOutcome = { outcome: 'absent', reason: 'no signature' };

type IsBot = (userAgent: string) => boolean;

/** Synchronous, for every request: whether a visit looks like AI, before any signature is checked. */
export function looksLikeAi(traits: Traits, request: Request, lists: CompiledLists, isBot: IsBot): boolean {
  return (
    classify(classifiable(traits, null), lists, isBot).class !== 'dropped' || namesListedAgent(request, lists)
  );
}

/** For the time after the response. */
export async function judge(
  visit: Visit,
  lists: CompiledLists,
  isBot: IsBot,
  signatures: SignatureVerifier,
): Promise<Judgement> {
  const signature = await checkSignature(visit, lists, signatures);
  const signer = signature.outcome === 'verified' ? signature.identity : null;
  const verdict = classify(classifiable(visit, signer), lists, isBot);
  if (verdict.class === 'ai_bot')
    return { class: 'ai_bot', proof: proofOf(verdict, signature, visit, lists) };
  return { class: verdict.class === 'ai_referral' ? 'ai_referral' : 'other' };
}

/** Only where its outcome can matter: of a listed bot, or of a visitor that says it is a listed agent. */
async function checkSignature(
  visit: Visit,
  lists: CompiledLists,
  signatures: SignatureVerifier,
): Promise<SignatureOutcome> {
  const { signed } = visit;
  if (signed === null) return UNSIGNED;
  const isNamed = lists.tokens.match(visit.userAgent) !== null || namesListedAgent(signed, lists);
  return isNamed ? await signatures.verify(signed, lists, visit.siteOrigin) : UNSIGNED;
}

/**
 * The signature is the stronger proof and counts first, but only of the bots that its agent signs for. A broken or foreign one takes nothing
 * away: proxies rewrite what was signed, so the address decides then.
 */
function proofOf(
  bot: Verdict & { class: 'ai_bot' },
  signature: SignatureOutcome,
  visit: Visit,
  lists: CompiledLists,
): BotProof {
  if (signature.outcome === 'verified' && signsFor(signature.agent, bot.bot_name)) {
    const by = 'signature';
    return { verified: true, by, signer: signature.identity, unchecked: false, rangesAsOf: '' };
  }
  const { verdict, asOf } = checkRanges(lists, bot.bot_name, visit.ip, visit.at);
  return {
    verified: verdict === true,
    by: verdict === true ? 'edge_cidr' : null,
    signer: null,
    unchecked: verdict === null,
    rangesAsOf: asOf,
  };
}
