/**
 * Prometheus metrics for the spool's counters. The numbers are the spool's own rows, read at scrape time: they survive every
 * crash, and `received = kept + dropped + rejected + duplicate` holds at any instant a transaction has ended.
 */
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { SOURCE_NAMES, STEPS, stepOf } from '../sources/index.ts';
import type { SpoolStats } from '../spool/index.ts';

/** The library's own 10 ms wake an idle service a hundred times a second, which is most of what it then does. */
const EVENT_LOOP_SAMPLES_MS = 50;

/** @param stats a cheap synchronous snapshot */
export function createMetrics(stats: () => SpoolStats): Registry {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    prefix: 'ghostlight_',
    eventLoopMonitoringPrecision: EVENT_LOOP_SAMPLES_MS,
  });
  const registers = [registry];

  const byEndpoint = (name: string, help: string, read: () => ReadonlyMap<string, number>) =>
    new Counter({
      name,
      help,
      labelNames: ['endpoint'],
      registers,
      collect() {
        this.reset();
        const counts = read();
        // A series exists from the first scrape on: rates and "is it zero?" need it before the first hit.
        for (const endpoint of SOURCE_NAMES) this.inc({ endpoint }, counts.get(endpoint) ?? 0);
      },
    });
  const byEndpointAnd = (
    label: string,
    name: string,
    help: string,
    read: () => ReadonlyMap<string, ReadonlyMap<string, number>>,
  ) =>
    new Counter({
      name,
      help,
      labelNames: ['endpoint', label],
      registers,
      collect() {
        this.reset();
        for (const [endpoint, counts] of read()) {
          for (const [value, count] of counts) this.inc({ endpoint, [label]: value }, count);
        }
      },
    });
  const byStep = (name: string, help: string, read: () => ReadonlyMap<string, ReadonlyMap<string, number>>) =>
    new Counter({
      name,
      help,
      labelNames: ['endpoint', 'step'],
      registers,
      collect() {
        this.reset();
        const counts = read();
        for (const endpoint of SOURCE_NAMES) {
          const steps = stepCounts(counts.get(endpoint));
          for (const step of STEPS) this.inc({ endpoint, step }, steps.get(step) ?? 0);
        }
      },
    });
  const total = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });

  const counters = () => stats().counters;
  byEndpoint(
    'ghostlight_hits_received_total',
    'Hits read from answered requests.',
    () => counters().received,
  );
  byEndpointAnd(
    'class',
    'ghostlight_hits_kept_total',
    'Hits acknowledged and on disk.',
    () => counters().kept,
  );
  byEndpoint(
    'ghostlight_hits_dropped_total',
    'Hits that are not stored: neither AI nor sample, no visit, over the quota, or own requests.',
    () => sums(counters().dropped),
  );
  byEndpointAnd(
    'reason',
    'ghostlight_hits_dropped_by_reason_total',
    'Dropped hits, by reason.',
    () => counters().dropped,
  );
  byEndpointAnd(
    'reason',
    'ghostlight_hits_rejected_total',
    'Hits refused, by reason.',
    () => counters().rejected,
  );
  byStep(
    'ghostlight_ingest_step_dropped_total',
    'Dropped hits, by the step of ingest that dropped them.',
    () => counters().dropped,
  );
  byStep(
    'ghostlight_ingest_step_rejected_total',
    'Refused hits, by the step of ingest that refused them.',
    () => counters().rejected,
  );
  byEndpoint('ghostlight_hits_duplicate_total', 'Duplicate hits.', () => counters().duplicate);
  total('ghostlight_hits_stored_total', 'Hits that the warehouse has confirmed.', () => counters().stored);
  total(
    'ghostlight_hits_unstorable_total',
    'Kept hits that the warehouse refused; in quarantine.',
    () => counters().unstorable,
  );
  total(
    'ghostlight_hits_late_duplicate_total',
    'Kept hits that another node had stored before this one shipped them.',
    () => counters().lateDuplicate,
  );
  gauge('ghostlight_spool_bytes', 'Used bytes of the spool, including its log.', () => stats().bytes);
  gauge('ghostlight_spool_max_bytes', 'Size above which ingest answers 503.', () => stats().maxBytes);
  gauge(
    'ghostlight_spool_pending_rows',
    'Hits on disk that the warehouse has not confirmed yet.',
    () => stats().pendingRows,
  );
  gauge(
    'ghostlight_spool_oldest_seconds',
    'Age of the oldest hit not yet stored.',
    () => stats().oldestSeconds,
  );
  return registry;
}

/** Each reason belongs to one step. */
function stepCounts(byReason: ReadonlyMap<string, number> = new Map()): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [reason, count] of byReason) {
    const step = stepOf(reason);
    if (step !== null) counts.set(step, (counts.get(step) ?? 0) + count);
  }
  return counts;
}

/** Adds up the inner counts of each endpoint. */
function sums(byReason: ReadonlyMap<string, ReadonlyMap<string, number>>): ReadonlyMap<string, number> {
  return new Map(
    [...byReason].map(([endpoint, counts]) => [
      endpoint,
      [...counts.values()].reduce((sum, count) => sum + count, 0),
    ]),
  );
}
