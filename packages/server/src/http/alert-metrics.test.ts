import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { type AlertFigures, type AlertWork, KINDS } from '../alerts/index.ts';
import { addAlertMetrics } from './alert-metrics.ts';

const IDLE: AlertWork = { messages: new Map(), looks: { done: 0, failed: 0 }, lastRound: null };
const lines = async (registry: Registry) =>
  (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

it('has every series of alerts before anything has happened', async () => {
  const registry = new Registry();
  const figures = async (): Promise<AlertFigures> => ({ open: new Map(), waiting: 0 });
  addAlertMetrics(registry, { figures, work: () => IDLE }, () => 0);
  const shown = await lines(registry);
  // The kinds, three types of channels with three outcomes, looks done and failed, three figures without labels.
  expect(shown).toHaveLength(KINDS.length + 9 + 2 + 3);
  expect(shown.every((line) => line.endsWith(' 0'))).toBe(true);
});

it('shows what is open, sent and looked at, and the last figures while the database is down', async () => {
  const registry = new Registry();
  let now = 0;
  let isAway = false;
  const figures = async (): Promise<AlertFigures> => {
    if (isAway) throw new Error('away');
    return { open: new Map([['spike', 2]]), waiting: 3 };
  };
  const work = (): AlertWork => ({
    messages: new Map([['slack', new Map([['retry', 4]])]]),
    looks: { done: 7, failed: 1 },
    lastRound: { endedAt: 1_700_000_000_500, seconds: 1.25 },
  });
  addAlertMetrics(registry, { figures, work }, () => now);
  for (const away of [false, true]) {
    isAway = away;
    now += 60_000;
    expect(await lines(registry)).toEqual(
      expect.arrayContaining([
        'ghostlight_alerts_open{kind="spike"} 2',
        'ghostlight_alerts_open{kind="new_bot"} 0',
        'ghostlight_alert_messages_waiting 3',
        'ghostlight_alert_messages_total{channel="slack",outcome="retry"} 4',
        'ghostlight_alert_messages_total{channel="email",outcome="sent"} 0',
        'ghostlight_alert_looks_total{outcome="failed"} 1',
        'ghostlight_alerts_last_round_timestamp_seconds 1700000000.5',
        'ghostlight_alerts_round_duration_seconds 1.25',
      ]),
    );
  }
});
