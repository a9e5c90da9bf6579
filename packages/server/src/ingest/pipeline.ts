/**
 * What happens to a hit between decoder and spool, as a list: read `PIPELINE` from top to bottom. Each step passes the hit on, drops it or
 * rejects it; the reasons are closed sets (`sources/reasons.ts`), which name the step that they belong to.
 */
import { randomUUID } from 'node:crypto';
import {
  anonymizeHit,
  type ClassifiableHit,
  type CompiledLists,
  type CountedRow,
  classify,
  findSearchEngine,
  type HitClass,
  hitId,
  type KeptVerdict,
  NO_VERDICT,
  type StoredHit,
  type StoredVerification,
  type Verdict,
  verifyHit,
} from '@ghostlight/core';
import { ALWAYS_KEPT_MS } from '../common/index.ts';
import { type DropReason, monthOf, type Observation, type Rejection } from '../sources/index.ts';
import type { SpoolRow } from '../spool/index.ts';
import type { IngestKey, PropertyLimits, SignatureChecks } from './ports.ts';

/** What is the same for all hits of a request. */
export interface IngestContext {
  readonly key: IngestKey;
  /** Attribution id → owning organization, for every id that the request names. */
  readonly owners: ReadonlyMap<string, string | null>;
  /** The domains of a property (`Properties.domainsOf`). */
  readonly domainsOf: (attributionId: string) => readonly string[];
  readonly lists: CompiledLists;
  /** The lists with the search crawlers behind them, for a property that tells those apart; null: it does not. */
  readonly searchEnginesOf: (attributionId: string) => CompiledLists | null;
  /** See `Properties.limitsOf`; what holds at the beginning of a request holds to its end. */
  readonly limitsOf?: (attributionId: string) => PropertyLimits;
  readonly signatures: SignatureChecks;
  readonly isBot: (userAgent: string) => boolean;
  readonly toRow: (hit: StoredHit | CountedRow) => string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

export type Outcome =
  | { readonly kind: 'kept'; readonly row: SpoolRow; readonly reason: StoredHit['verdict_reason'] }
  | { readonly kind: 'dropped'; readonly reason: DropReason }
  | ({ readonly kind: 'rejected' } & Rejection);

/** A hit on its way; steps fill it in. */
export interface PipelineState {
  /** From `checkSignature` on with what came of its signature. */
  observation: Observation;
  attributionId: string;
  /** Of a hit that was not dropped, from `classifyHit` on. */
  verdict: KeptVerdict;
  /** By which the verdict is proven. */
  lists: CompiledLists;
  verification: StoredVerification;
  /** From `anonymize` on; what comes after reads nothing else of the visitor. */
  stored: StoredHit | null;
}

type PipelineStep = (state: PipelineState, context: IngestContext) => Outcome | null;

export const PIPELINE: readonly PipelineStep[] = [
  attribute,
  checkSignature,
  classifyHit,
  refuseOutlived,
  dropOverQuota,
  dropOwnRequests,
  verify,
  anonymize,
  keep,
];

const NOT_AI: Outcome = { kind: 'dropped', reason: 'not_ai' };
const OWN_REQUEST: Outcome = { kind: 'dropped', reason: 'worker_subrequest' };
export const MISSING_ID = {
  kind: 'rejected',
  reason: 'missing_attribution_id',
  field: 'attribution_id',
} as const satisfies Outcome;
export const UNKNOWN_ID = {
  kind: 'rejected',
  reason: 'unknown_attribution_id',
  field: 'attribution_id',
} as const satisfies Outcome;
const OVER_QUOTA: Outcome = { kind: 'dropped', reason: 'over_quota' };
/** The name of its log source. */
const IMPORT = 'import';
const PAST_RETENTION = {
  kind: 'rejected',
  reason: 'past_retention',
  field: null,
} as const satisfies Outcome;
/** Stands until `classifyHit` has its own. */
const UNJUDGED = { class: 'sample' } as const satisfies KeptVerdict;

/** A hit before the first step. */
export function beforeSteps(
  observation: Observation,
  { lists }: Pick<IngestContext, 'lists'>,
): PipelineState {
  return {
    observation,
    attributionId: '',
    verdict: UNJUDGED,
    lists,
    verification: NO_VERDICT,
    stored: null,
  };
}

/** Runs a hit through the steps. */
export function runPipeline(observation: Observation, context: IngestContext): Outcome {
  const state = beforeSteps(observation, context);
  for (const step of PIPELINE) {
    const outcome = step(state, context);
    if (outcome !== null) return outcome;
  }
  throw new Error('The last step of the pipeline keeps the hit');
}

/** The element's id, else the key's default; it must be the key's organization's, and a foreign id looks like one that is not there. */
function attribute(state: PipelineState, { key, owners }: IngestContext): Outcome | null {
  const id = state.observation.hit.attributionId ?? key.attributionId;
  if (id === null) return MISSING_ID;
  if (owners.get(id) !== key.organizationId) return UNKNOWN_ID;
  state.attributionId = id;
  return null;
}

/** Before the class is known: behind the user agent of a browser the signature alone tells an agent. */
function checkSignature(state: PipelineState, { key, domainsOf, lists, signatures }: IngestContext): null {
  const { observation, attributionId } = state;
  if (observation.hit.signed === null) return null;
  const of = { organizationId: key.organizationId, domains: domainsOf(attributionId) };
  state.observation = { ...observation, hit: signatures.check(observation.hit, of, lists) };
  return null;
}

/** The service classifies every hit by its own list; log push carries no sample rate and so forwards no samples. */
function classifyHit(state: PipelineState, context: IngestContext): Outcome | null {
  const { attributionId, observation } = state;
  const searchEngines = context.searchEnginesOf(attributionId);
  const ownDomains = context.domainsOf(attributionId);
  const found = verdictOf(observation.hit, context, searchEngines, ownDomains);
  const verdict = observation.hit.isTest === true ? testOf(found) : found;
  if (verdict.class === 'dropped') return NOT_AI;
  state.verdict = verdict;
  if (verdict.class === 'search_engine') state.lists = searchEngines ?? context.lists;
  return null;
}

/**
 * AI bots first; then, of a property that tells them apart, search crawlers; then what is left.
 * @param searchEngines null: the property does not
 */
export function verdictOf(
  hit: ClassifiableHit,
  { lists, isBot }: Pick<IngestContext, 'lists' | 'isBot'>,
  searchEngines: CompiledLists | null,
  ownDomains: readonly string[] = [],
): Verdict {
  const verdict = classify(hit, lists, isBot, ownDomains);
  if (searchEngines === null || verdict.class === 'ai_bot') return verdict;
  return findSearchEngine(hit.userAgent, searchEngines, isBot) ?? verdict;
}

function refuseOutlived(
  { observation, attributionId, verdict }: PipelineState,
  context: IngestContext,
): Outcome | null {
  return isOutlived(observation.hit.at, verdict.class, attributionId, context) ? PAST_RETENTION : null;
}

/** It would be deleted within the hour. Hardly anything is old enough to be looked at. @param at epoch milliseconds */
export function isOutlived(
  at: number,
  hitClass: HitClass,
  attributionId: string,
  { limitsOf, receivedAt }: Pick<IngestContext, 'limitsOf' | 'receivedAt'>,
): boolean {
  const age = receivedAt - at;
  return age >= ALWAYS_KEPT_MS && limitsOf !== undefined && age > limitsOf(attributionId).keptMs[hitClass];
}

/**
 * Samples first, since figures can do with fewer; AI visits last. No status but 2xx: a sender may hold visits of several properties in one
 * request, and one that is refused would repeat, and then lose, all of them. An import is asked for by a person.
 */
function dropOverQuota(
  { observation, attributionId, verdict }: PipelineState,
  context: IngestContext,
): Outcome | null {
  const quota = context.limitsOf?.(attributionId).quota ?? 'open';
  if (quota === 'open' || observation.hit.source === IMPORT || verdict.class === 'test') return null;
  return quota === 'closed' || verdict.class === 'sample' ? OVER_QUOTA : null;
}

/** Of a visit that its sender made up: what it would have been is kept only as far as it names a crawler. */
const testOf = (verdict: Verdict): KeptVerdict => ({
  class: 'test',
  bot: verdict.class === 'ai_bot' || verdict.class === 'search_engine' ? verdict : null,
});

/** Else every page of a zone with Workers would count twice. */
function dropOwnRequests({ observation }: PipelineState): Outcome | null {
  return observation.ownRequest ? OWN_REQUEST : null;
}

/** By the address, the signature, or what the edge says. */
function verify(state: PipelineState): null {
  state.verification = verifyHit(state.observation.hit, state.verdict, state.lists);
  return null;
}

/** Truncates and forgets: from here on no full address exists. */
function anonymize(state: PipelineState, { key, receivedAt, isBot }: IngestContext): null {
  const { observation, attributionId, verdict, verification, lists } = state;
  const { hit } = observation;
  state.stored = anonymizeHit(hit, verdict, verification, lists.version, {
    id: hit.rayId === '' ? randomUUID() : hitId(attributionId, hit.rayId),
    organizationId: key.organizationId,
    attributionId,
    receivedAt,
    isBot,
  });
  return null;
}

/** The spool's form of the row. */
function keep({ stored }: PipelineState, { toRow }: IngestContext): Outcome | null {
  if (stored === null) return null;
  const { at, ray_id: rayId, attribution_id: attributionId } = stored;
  return {
    kind: 'kept',
    reason: stored.verdict_reason,
    row: {
      line: toRow(stored),
      month: monthOf(at),
      dedupKey: rayId === '' ? null : `${attributionId}:${rayId}`,
      label: stored.class,
    },
  };
}
