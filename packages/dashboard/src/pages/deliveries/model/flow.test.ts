import { describe, expect, it } from 'vitest';
import type { DestinationTotals } from '../../../features/deliveries/api.ts';
import { flowOf } from './flow.ts';

const totals = (counts: Partial<DestinationTotals>): DestinationTotals => ({
  destination: 'dst_1',
  platform: 'meta',
  name: 'Meta',
  deleted: false,
  rate: null,
  created: 0,
  delivered: 0,
  accepted: 0,
  waiting: 0,
  dead: 0,
  unknown: 0,
  skipped: {},
  ...counts,
});

describe('the funnel', () => {
  const flow = flowOf(
    100,
    80,
    totals({
      created: 70,
      delivered: 50,
      accepted: 5,
      waiting: 2,
      dead: 1,
      unknown: 2,
      skipped: { too_old: 3, consent_denied: 7 },
    }),
  );

  it('is complete: each stage is the next one plus its losses', () => {
    for (const { count, goesOn, losses } of flow) {
      expect(goesOn + losses.reduce((sum, loss) => sum + loss.count, 0)).toBe(count);
    }
    expect(flow.map(({ name, count }) => [name, count])).toEqual([
      ['Received', 100],
      ['Matched', 80],
      ['Eligible', 60],
      ['Finished', 53],
      ['Delivered', 50],
    ]);
  });

  it('lists reasons, the largest first, each with its filter', () => {
    expect(flow[1]?.losses).toMatchObject([
      { name: 'Not connected at the time', count: 10, filter: null },
      { name: 'Consent refused', count: 7, filter: { status: 'skipped', reason: 'consent_denied' } },
      { name: 'Too old', count: 3 },
    ]);
    expect(flow[2]?.losses).toMatchObject([
      { name: 'Processing', count: 5, filter: { status: 'accepted_async' } },
      { name: 'Waiting', count: 2, filter: { status: 'waiting' } },
    ]);
    expect(flow[3]?.losses).toMatchObject([
      { name: 'Unknown', count: 2 },
      { name: 'Failed', count: 1 },
    ]);
  });

  it('has no stage for what is finished when nothing waits', () => {
    const over = flowOf(10, 9, totals({ created: 9, delivered: 6, dead: 2, unknown: 1 }));
    expect(over.map(({ name, count, goesOn }) => [name, count, goesOn])).toEqual([
      ['Received', 10, 9],
      ['Matched', 9, 9],
      ['Eligible', 9, 6],
      ['Delivered', 6, 6],
    ]);
    expect(over[2]?.losses).toMatchObject([
      { name: 'Failed', count: 2 },
      { name: 'Unknown', count: 1 },
    ]);
    expect(over[3]?.share).toBe('66.7%');
  });

  it('gives no share of what was matched where an order that came under two topics is sent twice', () => {
    const twice = flowOf(32, 31, totals({ created: 33, delivered: 32, skipped: { too_old: 1 } }));
    expect(twice.map(({ name, count, share, hasTwice }) => [name, count, share, hasTwice])).toEqual([
      ['Received', 32, null, false],
      ['Matched', 31, '96.9%', false],
      ['Eligible', 32, null, true],
      ['Delivered', 32, '100.0%', false],
    ]);
    expect(twice[1]).toMatchObject({ goesOn: 30, losses: [{ name: 'Too old', count: 1 }] });
  });

  it('shows 0% and 100% only when exact', () => {
    const shares = (received: number, matched: number) =>
      flowOf(received, matched, totals({ created: matched, delivered: matched }))[1]?.share;
    expect(shares(1000, 999)).toBe('99.9%');
    expect(shares(1000, 1)).toBe('0.1%');
    expect(shares(0, 0)).toBeNull();
    expect(shares(10, 10)).toBe('100.0%');
  });
});
