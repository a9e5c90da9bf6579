import { describe, expect, it } from 'vitest';
import type { Attempt, DeliveryDetail } from '../../../features/deliveries/api.ts';
import { wayOf } from './Timeline.tsx';

const attempt = (minute: number, verdict: string, http_status: number | null = 200): Attempt => ({
  at: `2026-11-21T12:${String(minute).padStart(2, '0')}:00Z`,
  http_status,
  ms: 120,
  verdict,
  message: null,
});
const delivery = (more: Partial<DeliveryDetail>): DeliveryDetail => ({
  id: 'dlv_1',
  conversion: 'cnv_1',
  conversion_id: 'order-1',
  topic: 'purchase',
  event_name: null,
  platform: 'meta',
  platform_event: 'Purchase',
  destination: { id: 'dst_1', name: 'Meta', deleted: false },
  status: 'delivered',
  reason: null,
  message: null,
  attempts: more.history?.length ?? 0,
  created_at: '2026-11-21T12:00:00Z',
  sent_at: null,
  settled_at: '2026-11-21T12:30:00Z',
  next_at: '2026-11-21T12:31:00Z',
  value: null,
  currency: null,
  replayable: false,
  request: null,
  response: null,
  history: [],
  guarantee: 'dedup',
  explanation: '',
  notes: [],
  ...more,
});
const titles = (more: Partial<DeliveryDetail>) => wayOf(delivery(more), 'active').map(({ title }) => title);

describe('the timeline of a delivery', () => {
  it('lists the reception, each attempt and the answer, earliest first', () => {
    const stops = wayOf(
      delivery({ history: [attempt(9, 'delivered'), attempt(3, 'retry', null)] }),
      'active',
    );
    expect(stops.map(({ title, detail }) => [title, detail])).toEqual([
      ['Received and matched', ''],
      ['Failed, will retry', 'no answer · 120 ms'],
      ['Accepted', 'HTTP 200 · 120 ms'],
    ]);
  });

  it('leaves out a duration of nothing', () => {
    const stops = wayOf(delivery({ history: [{ ...attempt(3, 'delivered'), ms: 0 }] }), 'active');
    expect(stops[1]?.detail).toBe('HTTP 200');
  });

  it('says what comes next, and when', () => {
    const [last] = wayOf(delivery({ status: 'retry', history: [attempt(3, 'retry', 503)] }), 'active').slice(
      -1,
    );
    expect(last).toMatchObject({ title: 'Next attempt', at: '2026-11-21T12:31:00Z', isAhead: true });
    expect(titles({ status: 'pending' }).at(-1)).toBe('Queued');
    expect(titles({ status: 'pending', history: [attempt(1, 'refused', 400)] }).at(-1)).toBe(
      'Waiting to retry',
    );
  });

  it.each([
    ['pending', 'paused', 'when the destination is resumed'],
    ['retry', 'paused', 'when the destination is resumed'],
    ['pending', 'alarm', 'when the destination is fixed'],
  ] as const)('has no time for what is %s while its destination is %s', (status, state, detail) => {
    const next = wayOf(delivery({ status }), state).at(-1);
    expect(next).toMatchObject({ at: null, detail, isAhead: true });
  });

  it.each<[string, Partial<DeliveryDetail>, string]>([
    ['a skip with its reason', { status: 'skipped', reason: 'too_old' }, 'Skipped: Too old'],
    ['an attempt without an answer', { status: 'unknown' }, 'No answer, may have arrived'],
    ['an outcome that came later', { status: 'delivered', history: [attempt(1, 'accepted')] }, 'Delivered'],
    [
      'a delivery that was given up',
      { status: 'dead', reason: 'gave_up', history: [attempt(1, 'retry', 503)] },
      'Given up',
    ],
    [
      'an attempt that was cut off',
      { status: 'unknown', history: [attempt(1, 'unknown', null)] },
      'No answer, may have arrived',
    ],
    ['a late refusal', { status: 'dead', reason: 'INVALID', history: [attempt(1, 'accepted')] }, 'Failed'],
    ['a refusal', { status: 'dead', reason: '100', history: [attempt(1, 'refused', 400)] }, 'Refused'],
  ])('ends %s', (_, more, title) => {
    expect(titles(more).at(-1)).toBe(title);
  });

  it('mentions attempts that are no longer stored', () => {
    expect(titles({ status: 'retry', attempts: 14, history: [attempt(1, 'retry', 503)] })[1]).toBe(
      '13 earlier attempts are no longer stored',
    );
  });
});
