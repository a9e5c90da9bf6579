import { describe, expect, it } from 'vitest';
import type { LiveItem } from '../api/types.ts';
import { EMPTY_BUFFER, type LiveAction, type LiveBuffer, MAX_ROWS, reduceLive, WINDOW_MS } from './buffer.ts';
import { isFiltered, passes, readFilters, verdictOf } from './filters.ts';
import { sum, summarize } from './summary.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

function hit(id: string, secondsAgo: number, more: Partial<LiveItem> = {}): LiveItem {
  return {
    id,
    at: new Date(NOW - secondsAgo * 1_000).toISOString(),
    class: 'ai_bot',
    bot_name: 'GPTBot',
    vendor: 'OpenAI',
    intent: 'training',
    verified: true,
    verified_by: 'edge_cidr',
    method: 'GET',
    host: 'shop.example',
    path: '/Shoes',
    status: 200,
    country: 'US',
    user_agent: 'Mozilla/5.0 (compatible; GPTBot/1.3)',
    referrer_engine: '',
    source: 'edge_worker',
    sdk_bot: false,
    ...more,
  };
}

function after(...actions: LiveAction[]): LiveBuffer {
  return actions.reduce(reduceLive, EMPTY_BUFFER);
}

const ids = (rows: LiveBuffer['rows']) => rows.map(({ item }) => item.id);

describe('the rows of the Live view', () => {
  it('stand newest first, each once, however often they are sent', () => {
    const buffer = after(
      { type: 'snapshot', items: [hit('b', 20), hit('a', 30)], now: NOW },
      { type: 'arrived', items: [hit('c', 5), hit('b', 20), hit('c', 5)], now: NOW },
      { type: 'snapshot', items: [hit('c', 5), hit('b', 20), hit('a', 30)], now: NOW },
    );
    expect(ids(buffer.rows)).toEqual(['c', 'b', 'a']);
  });

  it('move only when they came while somebody watched', () => {
    const buffer = after(
      { type: 'snapshot', items: [hit('a', 30)], now: NOW },
      { type: 'arrived', items: [hit('b', 1)], now: NOW },
    );
    expect(buffer.rows.map(({ fresh }) => fresh)).toEqual([true, false]);
  });

  it('wait aside while paused and fall in on resume', () => {
    const start: LiveAction[] = [
      { type: 'snapshot', items: [hit('a', 30)], now: NOW },
      { type: 'pause' },
      { type: 'arrived', items: [hit('b', 2)], now: NOW },
      { type: 'arrived', items: [hit('b', 2), hit('c', 1)], now: NOW + 1 },
    ];
    const paused = after(...start);
    expect(ids(paused.rows)).toEqual(['a']);
    expect(ids(paused.waiting)).toEqual(['c', 'b']);
    const resumed = after(...start, { type: 'resume' });
    expect(ids(resumed.rows)).toEqual(['c', 'b', 'a']);
    expect(resumed.waiting).toEqual([]);
  });

  it('keep a visit that arrived late for thirty minutes from its arrival', () => {
    const late = hit('late', 1_500);
    const buffer = after(
      { type: 'snapshot', items: [], now: NOW },
      { type: 'arrived', items: [late], now: NOW },
      { type: 'tick', now: NOW + WINDOW_MS - 1 },
    );
    expect(ids(buffer.rows)).toEqual(['late']);
    expect(reduceLive(buffer, { type: 'tick', now: NOW + WINDOW_MS + 1 }).rows).toEqual([]);
  });

  it('are bounded, and the oldest go first', () => {
    const items = Array.from({ length: MAX_ROWS + 10 }, (_, index) => hit(String(index), index / 10));
    const { rows } = after({ type: 'snapshot', items, now: NOW });
    expect(rows).toHaveLength(MAX_ROWS);
    expect(rows[0]?.item.id).toBe('0');
  });

  it('stay the same object when a tick changes nothing, so that nothing is drawn again', () => {
    const buffer = after({ type: 'snapshot', items: [hit('a', 30)], now: NOW });
    expect(reduceLive(buffer, { type: 'tick', now: NOW + 1_000 })).toBe(buffer);
  });
});

describe('filters', () => {
  it('are read from the address, and anything else in it is ignored', () => {
    expect(
      readFilters({ class: 'ai_bot', verdict: 'spoofed', source: 'edge_logpush', q: 404, evil: '<b>' }),
    ).toEqual({
      class: 'ai_bot',
      verdict: 'spoofed',
      source: 'edge_logpush',
      q: '404',
    });
    expect(isFiltered(readFilters({ class: 'robot', verdict: ['spoofed'], source: 1, q: '' }))).toBe(false);
  });

  it('find text in path, bot and agent without regard to case', () => {
    for (const q of ['shoes', 'gptBOT', 'openai', 'mozilla/5.0', 'shop.ex']) {
      expect(passes(hit('a', 1), { q })).toBe(true);
    }
    expect(passes(hit('a', 1), { q: 'perplexity' })).toBe(false);
  });

  it('must all hold', () => {
    const spoofed = hit('a', 1, { verified: false });
    expect(passes(spoofed, { class: 'ai_bot', verdict: 'spoofed', source: 'edge_worker' })).toBe(true);
    expect(passes(spoofed, { verdict: 'verified' })).toBe(false);
    expect(passes(spoofed, { class: 'sample' })).toBe(false);
    expect(passes(spoofed, { source: 'edge_logpush' })).toBe(false);
  });

  it('never call a person unknown: only AI bots have a verdict', () => {
    expect(verdictOf(hit('a', 1, { verified: null }))).toBe('unknown');
    expect(verdictOf(hit('a', 1, { class: 'sample', verified: null }))).toBeNull();
  });
});

describe('the summary strip', () => {
  it('counts each class per minute and in all', () => {
    const buffer = after({
      type: 'snapshot',
      items: [
        hit('a', 5),
        hit('b', 70, { class: 'sample' }),
        hit('c', 80, { verified: false }),
        hit('old', 1_795),
      ],
      now: NOW,
    });
    const { total, minutes, spoofed } = summarize(buffer.rows, NOW);
    expect(total).toEqual({ ai_bot: 3, ai_referral: 0, sample: 1, event: 0 });
    expect(spoofed).toBe(1);
    expect(minutes).toHaveLength(30);
    expect(minutes.at(-1)).toMatchObject({ ai_bot: 1 });
    expect(minutes.at(-2)).toMatchObject({ ai_bot: 1, sample: 1 });
    expect(minutes.map(sum).reduce((a, b) => a + b, 0)).toBe(sum(total));
  });

  it('counts a visit from the near future (a clock that is ahead) as now', () => {
    const { rows } = after({ type: 'snapshot', items: [hit('a', -30)], now: NOW });
    expect(summarize(rows, NOW).minutes.at(-1)).toMatchObject({ ai_bot: 1 });
  });
});
