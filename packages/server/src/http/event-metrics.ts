/** Browser events in Prometheus: the conservation law of both their spools, and what was refused before it was looked at. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { EventStats } from '../sessions/index.ts';
import type { SpoolStats } from '../spool/index.ts';

type Labelled = ReadonlyMap<string, number>;

/** @param stats a cheap synchronous snapshot */
export function addEventMetrics(registry: Registry, stats: () => EventStats): void {
  const registers = [registry];
  const counter = (name: string, help: string, label: string | null, read: () => Labelled) =>
    new Counter({
      name,
      help,
      labelNames: label === null ? [] : [label],
      registers,
      collect() {
        this.reset();
        for (const [value, count] of read()) this.inc(label === null ? {} : { [label]: value }, count);
      },
    });
  const gauge = (name: string, help: string, read: (stages: Stage) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['stage'],
      registers,
      collect() {
        for (const stage of STAGES) this.set({ stage }, read(stage));
      },
    });
  const of = (stage: Stage): SpoolStats => stats()[stage === 'database' ? 'accepted' : 'rows'];
  const perStage = (read: (spool: SpoolStats) => number) => () =>
    new Map(STAGES.map((stage) => [stage, read(of(stage))]));

  counter(
    'ghostlight_events_received_total',
    'Browser events read, by stage: on the way to the database, to the warehouse.',
    'stage',
    perStage(({ counters }) => counters.received.get('browser') ?? 0),
  );
  counter(
    'ghostlight_events_kept_total',
    'Browser events acknowledged and on disk, by class.',
    'class',
    () => of('database').counters.kept.get('browser') ?? new Map(),
  );
  counter(
    'ghostlight_events_rejected_total',
    'Rejected browser events, by reason.',
    'reason',
    () => of('database').counters.rejected.get('browser') ?? new Map(),
  );
  counter(
    'ghostlight_events_duplicate_total',
    'Duplicate browser events, by stage.',
    'stage',
    perStage(({ counters }) => counters.duplicate.get('browser') ?? 0),
  );
  counter(
    'ghostlight_events_dropped_total',
    'Recorded browser events that don’t go on to the warehouse, by reason.',
    'reason',
    () => of('warehouse').counters.dropped.get('browser') ?? new Map(),
  );
  counter(
    'ghostlight_events_stored_total',
    'Browser events that the stage’s store has confirmed.',
    'stage',
    perStage(({ counters }) => counters.stored),
  );
  counter(
    'ghostlight_events_unstorable_total',
    'Browser events that the stage’s store refused; in quarantine.',
    'stage',
    perStage(({ counters }) => counters.unstorable),
  );
  counter(
    'ghostlight_events_left_out_total',
    'Rows of visitors who were erased while they waited.',
    null,
    () => new Map([['', of('warehouse').counters.lateDuplicate]]),
  );
  counter(
    'ghostlight_event_requests_refused_total',
    'Requests refused before their events were read, since the start.',
    'reason',
    () => stats().refused,
  );
  gauge(
    'ghostlight_events_spool_bytes',
    'Used bytes of the stage’s spool, including its log.',
    (stage) => of(stage).bytes,
  );
  gauge(
    'ghostlight_events_spool_max_bytes',
    'Size above which events are refused.',
    (stage) => of(stage).maxBytes,
  );
  gauge(
    'ghostlight_events_pending_rows',
    'Browser events that the stage’s store has not confirmed yet.',
    (stage) => of(stage).pendingRows,
  );
  gauge('ghostlight_events_oldest_seconds', 'Age of the oldest of them.', (stage) => of(stage).oldestSeconds);
}

const STAGES = ['database', 'warehouse'] as const;
type Stage = (typeof STAGES)[number];
