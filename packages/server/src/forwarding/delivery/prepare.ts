/** Claimed rows → events that may leave, and what is decided without sending anything. */

import type { Log } from '../../common/index.ts';
import {
  type ForwardedConversion,
  isTooOld,
  type MatchContext,
  notBefore,
} from '../../destinations/index.ts';
import { knownOf } from '../masking.ts';
import { AFTER_MISTAKE_MS, MISTAKE, placeOf } from './messages.ts';
import { outcomeOf, sealedHere, skipped } from './outcome.ts';
import {
  type BoundDestination,
  CONTEXT_PAGE,
  type Contexts,
  type DeliveryRow,
  type Loaded,
} from './ports.ts';
import type { Judgement, Outcome, Ready, Returned } from './records.ts';

export interface Prepared {
  readonly ready: readonly Ready[];
  readonly outcomes: readonly Outcome[];
  readonly returned: readonly Returned[];
}

export interface PrepareDeps {
  readonly contexts: Contexts;
  readonly clock: () => number;
  readonly log: Log;
  /** Whether what is not prepared yet had better be given back. */
  readonly isEnding: () => boolean;
}

const MISTAKEN: Judgement = {
  kind: 'retry',
  code: 'internal_error',
  message: MISTAKE,
  afterMs: AFTER_MISTAKE_MS,
};
/** A wait that says nothing would be a loop. */
const LEAST_WAIT_MS = 1_000;

/**
 * In pages, so that of 2,000 conversions never more than 100 are open at a time, and no further than `maxBytes`: the rest is given back.
 * @throws what `contexts.load` throws
 */
export async function prepare(
  { contexts, clock, log, isEnding }: PrepareDeps,
  destination: BoundDestination,
  rows: readonly DeliveryRow[],
  maxBytes: number,
): Promise<Prepared> {
  const ready: Ready[] = [];
  const outcomes: Outcome[] = [];
  const returned: Returned[] = [];
  let bytes = 0;
  for (let start = 0; start < rows.length; start += CONTEXT_PAGE) {
    const page = rows.slice(start, start + CONTEXT_PAGE);
    if (bytes >= maxBytes || isEnding()) {
      returned.push(...page.map((row) => ({ row, nextAt: null })));
      continue;
    }
    const loaded = await contexts.load(page);
    const now = clock();
    for (const row of page) {
      const judged = judge(destination, row, loaded.get(row.id), now, log);
      if ('event' in judged) {
        ready.push(judged);
        bytes += judged.bytes;
      } else if ('nextAt' in judged) returned.push(judged);
      else outcomes.push(judged);
    }
  }
  return { ready, outcomes, returned };
}

function judge(
  destination: BoundDestination,
  row: DeliveryRow,
  loaded: Loaded | undefined,
  now: number,
  log: Log,
): Ready | Outcome | Returned {
  if (loaded === undefined) return skipped(row, { skip: 'data_expired' }, now);
  if ('skip' in loaded) return skipped(row, loaded, now);
  if ('wait' in loaded) return { row, nextAt: now + Math.max(LEAST_WAIT_MS, loaded.wait) };
  if ('sealed' in loaded)
    return isTooOld(destination.limits, loaded.sealed, now)
      ? skipped(row, { skip: 'too_old' }, now)
      : sealedHere(row, now);
  const { conversion, context } = loaded;
  const turn = notBefore(destination.limits, conversion.occurredAt);
  if (turn > now) return { row, nextAt: turn };
  try {
    return decide(destination, row, conversion, context, now);
  } catch (error) {
    // The message of an error may repeat what it is about: only its kind and its place are written down.
    const about = { delivery: row.id, platform: destination.platform, error: placeOf(error) };
    log.error(about, 'a conversion could not be mapped');
    return outcomeOf(MISTAKEN, {
      ...{ row, attempt: { at: now, ms: 0, status: null }, guarantee: row.guarantee },
      ...{ occurredAt: conversion.occurredAt, maxAgeMs: destination.limits.maxAgeMs, changedAt: 0 },
      ...{ name: row.platform_event, notes: [], batch: 1, half: '' },
      ...{ destinationMs: null, pollAfterMs: null, random: 1 },
    });
  }
}

function decide(
  destination: BoundDestination,
  row: DeliveryRow,
  conversion: ForwardedConversion,
  context: MatchContext,
  now: number,
): Ready | Outcome {
  const decided = destination.decide(conversion, context, now);
  if ('skip' in decided) return skipped(row, decided, now);
  const { event, name, group = '', notes = [] } = decided;
  return {
    row,
    event,
    bytes: Buffer.byteLength(JSON.stringify(event)),
    name,
    group,
    notes,
    guarantee: destination.guarantee(conversion),
    occurredAt: conversion.occurredAt,
    known: knownOf(conversion, context),
  };
}
