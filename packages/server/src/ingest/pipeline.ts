/**
 * What happens to a hit between decoder and spool, as a list: read `STEPS` from top to bottom. Each step passes the hit on, drops it or
 * rejects it; `DROP_REASONS` and `REJECT_REASONS` are closed sets.
 */
import { randomUUID } from 'node:crypto';
import {
  type ClassifiableHit,
  type CompiledLists,
  classify,
  findSearchEngine,
  hitId,
  type ObservedHit,
  type StoredHit,
  toStoredHit,
  type Verdict,
} from '@ghostlight/core';
import type { SpoolRow } from '../spool/index.ts';
import type { IngestKey } from './ports.ts';
import type { DropReason, Rejection } from './reasons.ts';
import { monthOf } from './timestamps.ts';

/** A decoder's product. */
export interface Observation {
  readonly hit: ObservedHit;
  /** Made by a Worker of the zone on behalf of a visit that has its own line. */
  readonly ownRequest: boolean;
}

/** What is the same for all hits of a request. */
export interface Circumstances {
  readonly key: IngestKey;
  /** Attribution id → owning organization, for every id that the request names. */
  readonly owners: ReadonlyMap<string, string | null>;
  /** The domains of a property (`Properties.domainsOf`). */
  readonly domainsOf: (attributionId: string) => readonly string[];
  readonly lists: CompiledLists;
  /** The lists with the search crawlers behind them, for a property that tells those apart; null: it does not. */
  readonly searchEnginesOf: (attributionId: string) => CompiledLists | null;
  readonly isBot: (userAgent: string) => boolean;
  readonly toRow: (hit: StoredHit) => string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

export type Outcome =
  | { readonly kind: 'kept'; readonly row: SpoolRow }
  | { readonly kind: 'dropped'; readonly reason: DropReason }
  | ({ readonly kind: 'rejected' } & Rejection);

/** A hit on its way; steps fill it in. */
interface Passage {
  readonly observation: Observation;
  attributionId: string;
  verdict: Verdict;
  /** By which the verdict is proven. */
  lists: CompiledLists;
}

type Step = (passage: Passage, circumstances: Circumstances) => Outcome | null;

const STEPS: readonly Step[] = [attribute, classifyHit, dropOwnRequests, verifyAnonymizeAndKeep];

const NOT_AI: Outcome = { kind: 'dropped', reason: 'not_ai' };
const OWN_REQUEST: Outcome = { kind: 'dropped', reason: 'worker_subrequest' };
const MISSING_ID: Outcome = { kind: 'rejected', reason: 'missing_attribution_id', field: 'attribution_id' };
const UNKNOWN_ID: Outcome = { kind: 'rejected', reason: 'unknown_attribution_id', field: 'attribution_id' };
const UNJUDGED: Verdict = { class: 'dropped', reason: 'not_ai' };

/** Runs a hit through the steps. */
export function process(observation: Observation, circumstances: Circumstances): Outcome {
  const passage: Passage = { observation, attributionId: '', verdict: UNJUDGED, lists: circumstances.lists };
  for (const step of STEPS) {
    const outcome = step(passage, circumstances);
    if (outcome !== null) return outcome;
  }
  return NOT_AI;
}

/** The element's id, else the key's default; it must be the key's organization's, and a foreign id looks like one that is not there. */
function attribute(passage: Passage, { key, owners }: Circumstances): Outcome | null {
  const id = passage.observation.hit.attributionId ?? key.attributionId;
  if (id === null) return MISSING_ID;
  if (owners.get(id) !== key.organizationId) return UNKNOWN_ID;
  passage.attributionId = id;
  return null;
}

/** The service judges every hit by its own list; log push carries no sample rate and so forwards no samples. */
function classifyHit(passage: Passage, circumstances: Circumstances): Outcome | null {
  const { attributionId, observation } = passage;
  const searchEngines = circumstances.searchEnginesOf(attributionId);
  const ownDomains = circumstances.domainsOf(attributionId);
  passage.verdict = verdictOf(observation.hit, circumstances, searchEngines, ownDomains);
  if (passage.verdict.class === 'search_engine') passage.lists = searchEngines ?? circumstances.lists;
  return passage.verdict.class === 'dropped' ? NOT_AI : null;
}

/**
 * AI bots first; then, of a property that tells them apart, search crawlers; then what is left.
 * @param searchEngines null: the property does not
 */
export function verdictOf(
  hit: ClassifiableHit,
  { lists, isBot }: Pick<Circumstances, 'lists' | 'isBot'>,
  searchEngines: CompiledLists | null,
  ownDomains: readonly string[] = [],
): Verdict {
  const verdict = classify(hit, lists, isBot, ownDomains);
  if (searchEngines === null || verdict.class === 'ai_bot') return verdict;
  return findSearchEngine(hit.userAgent, searchEngines, isBot) ?? verdict;
}

/** Else every page of a zone with Workers would count twice. */
function dropOwnRequests({ observation }: Passage): Outcome | null {
  return observation.ownRequest ? OWN_REQUEST : null;
}

/** core's `toStoredHit` verifies, truncates and forgets: from here on no full address exists. */
function verifyAnonymizeAndKeep(passage: Passage, circumstances: Circumstances): Outcome {
  const { observation, attributionId, verdict, lists } = passage;
  if (verdict.class === 'dropped') return NOT_AI;
  const { hit } = observation;
  const stored = toStoredHit(hit, verdict, lists, {
    id: hit.rayId === '' ? randomUUID() : hitId(attributionId, hit.rayId),
    organizationId: circumstances.key.organizationId,
    attributionId,
    receivedAt: circumstances.receivedAt,
    isBot: circumstances.isBot,
  });
  return {
    kind: 'kept',
    row: {
      line: circumstances.toRow(stored),
      month: monthOf(hit.at),
      dedupKey: hit.rayId === '' ? null : `${attributionId}:${hit.rayId}`,
      label: verdict.class,
    },
  };
}
