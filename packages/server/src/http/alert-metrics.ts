/** Alerts in Prometheus. What is open and what waits is read from the database, and is the same on every node; the rest is this node's. */
import { Counter, Gauge, type Registry } from 'prom-client';
import {
  type AlertFigures,
  type AlertWork,
  CHANNEL_TYPES,
  KINDS,
  SENDING_OUTCOMES,
} from '../alerts/index.ts';
import type { Clock } from '../common/index.ts';
import { lastKnown } from './last-known.ts';

const NOTHING: AlertFigures = { open: new Map(), waiting: 0 };

export interface AlertSource {
  figures(): Promise<AlertFigures>;
  work(): AlertWork;
}

export function addAlertMetrics(registry: Registry, { figures, work }: AlertSource, clock: Clock): void {
  const registers = [registry];
  const read = lastKnown(figures, NOTHING, clock);

  new Gauge({
    name: 'ghostlight_alerts_open',
    help: 'Open alerts, by kind, in the whole installation.',
    labelNames: ['kind'],
    registers,
    async collect() {
      const { open } = await read();
      for (const kind of KINDS) this.set({ kind }, open.get(kind) ?? 0);
    },
  });
  new Gauge({
    name: 'ghostlight_alert_messages_waiting',
    help: 'Waiting messages in the whole installation; counted up to 10,000.',
    registers,
    async collect() {
      this.set((await read()).waiting);
    },
  });
  new Counter({
    name: 'ghostlight_alert_messages_total',
    help: 'Attempts of this node to send a message since its start, by channel type and outcome: sent, retry, failed (given up).',
    labelNames: ['channel', 'outcome'],
    registers,
    collect() {
      this.reset();
      const { messages } = work();
      for (const channel of CHANNEL_TYPES)
        for (const outcome of SENDING_OUTCOMES)
          this.inc({ channel, outcome }, messages.get(channel)?.get(outcome) ?? 0);
    },
  });
  new Counter({
    name: 'ghostlight_alert_looks_total',
    help: 'Evaluations of a property by this node since its start, by outcome.',
    labelNames: ['outcome'],
    registers,
    collect() {
      this.reset();
      const { done, failed } = work().looks;
      this.inc({ outcome: 'done' }, done);
      this.inc({ outcome: 'failed' }, failed);
    },
  });
  new Gauge({
    name: 'ghostlight_alerts_last_round_timestamp_seconds',
    help: 'When this node last finished evaluating all properties; 0 if never. Any node may do it: take the maximum.',
    registers,
    collect() {
      this.set((work().lastRound?.endedAt ?? 0) / 1_000);
    },
  });
  new Gauge({
    name: 'ghostlight_alerts_round_duration_seconds',
    help: 'How long that evaluation took, without sending.',
    registers,
    collect() {
      this.set(work().lastRound?.seconds ?? 0);
    },
  });
}
