/** Tells the setup checker what a request showed: at most one signal of each kind per request. */
import type { Source } from '@ghostlight/core';
import { aboutSource, FORMAT_REASONS } from '../sources/index.ts';
import { ADDRESS_FLAWS, type Counters } from './counters.ts';
import type { IngestKey, SetupSignals } from './ports.ts';

const ID_FAULTS = ['unknown_attribution_id', 'missing_attribution_id'] as const;
const NO_FAULTS: readonly (typeof ID_FAULTS)[number][] = [];

/** Why nothing shows, as far as this request tells. @param attributionId a property of the key's organization, or null */
export function noteOutcome(
  signals: SetupSignals,
  endpoint: Source,
  key: IngestKey,
  attributionId: string | null,
  counters: Counters,
): void {
  const { organizationId } = key;
  const about = { endpoint, organizationId, attributionId };
  for (const kind of counters.rejected === 0 ? NO_FAULTS : ID_FAULTS) {
    const count = counters.rejectedFor(kind);
    if (count > 0) signals.note({ ...about, kind, detail: String(count) });
  }
  const notAi = counters.droppedFor('not_ai');
  if (notAi > 0) {
    const sample = counters.tally.droppedSample;
    const detail = String(notAi);
    signals.note({ ...about, kind: 'dropped_not_ai', detail, ...(sample === undefined ? {} : { sample }) });
  }
  // A single visit without an address is the visitor's doing; if most of a log have none, the log lacks a field. Collectors at the edge
  // always have one and keep it; one in an application has none where its proxies are not configured, and then says nothing of a check.
  for (const kind of isAtEdge(endpoint) ? [] : ADDRESS_FLAWS) {
    const count = counters.flawed(kind);
    if (count * 2 > counters.tally.bots) signals.note({ ...about, kind, detail: String(count) });
  }
  const format =
    counters.rejected === 0 ? undefined : FORMAT_REASONS.find((reason) => counters.rejectedFor(reason) > 0);
  if (format !== undefined) signals.note({ ...about, kind: 'wrong_format', detail: format });
}

function isAtEdge(endpoint: Source): boolean {
  const about = aboutSource(endpoint);
  return about?.kind === 'collector' && about.group === 'edge';
}
