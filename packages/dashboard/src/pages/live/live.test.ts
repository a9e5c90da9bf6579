import { describe, expect, it } from 'vitest';
import type { LiveItem, LiveSummaryAnswer } from '../../api/types.ts';
import { verdictOf } from '../../features/visits/verdict.ts';
import { EMPTY_BUFFER, type LiveAction, type LiveBuffer, MAX_ROWS, reduceLive, WINDOW_MS } from './buffer.ts';
import { minuteScale } from './scale.ts';
import { isFiltered, passes, readFilters, shownClasses } from './search.ts';
import { listCount, summarize } from './summary.ts';

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
    verdict_reason: 'edge_ranges',
    ranges_as_of: '2026-11-20',
    method: 'GET',
    host: 'shop.example',
    path: '/Shoes',
    status: 200,
    country: 'US',
    user_agent: 'Mozilla/5.0 (compatible; GPTBot/1.3)',
    referrer_engine: '',
    source: 'edge_worker',
    waf_action: '',
    asn: 8_075,
    signature_agent: '',
    sample_rate: 0,
    list_version: 3,
    sdk_bot: false,
    ...more,
  };
}

function after(...actions: LiveAction[]): LiveBuffer {
  return actions.reduce(reduceLive, EMPTY_BUFFER);
}

const ids = (rows: LiveBuffer['rows']) => rows.map(({ item }) => item.id);

describe('the rows of the Live view', () => {
  it('are newest first, without duplicates', () => {
    const buffer = after(
      { type: 'snapshot', items: [hit('b', 20), hit('a', 30)], now: NOW },
      { type: 'arrived', items: [hit('c', 5), hit('b', 20), hit('c', 5)], now: NOW },
      { type: 'snapshot', items: [hit('c', 5), hit('b', 20), hit('a', 30)], now: NOW },
    );
    expect(ids(buffer.rows)).toEqual(['c', 'b', 'a']);
  });

  it('are animated only when they arrived while the page was open', () => {
    const buffer = after(
      { type: 'snapshot', items: [hit('a', 30)], now: NOW },
      { type: 'arrived', items: [hit('b', 1)], now: NOW },
    );
    expect(buffer.rows.map(({ fresh }) => fresh)).toEqual([true, false]);
  });

  it('are buffered while paused and added on resume', () => {
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

  it('are bounded; the oldest are removed first', () => {
    const items = Array.from({ length: MAX_ROWS + 10 }, (_, index) => hit(String(index), index / 10));
    const { rows } = after({ type: 'snapshot', items, now: NOW });
    expect(rows).toHaveLength(MAX_ROWS);
    expect(rows[0]?.item.id).toBe('0');
  });

  it('stay the same object when a tick changes nothing, so that nothing is rendered again', () => {
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

  it('include search crawlers when the property stores them, or some are listed', () => {
    expect(shownClasses(false, false)).not.toContain('search_engine');
    expect(shownClasses(true, false)).toContain('search_engine');
    expect(shownClasses(false, true)).toContain('search_engine');
    expect(readFilters({ class: 'search_engine' })).toEqual({ class: 'search_engine' });
  });

  it('have a verdict for bots only', () => {
    expect(verdictOf(hit('a', 1, { class: 'search_engine', verified: false }))).toBe('spoofed');
    expect(verdictOf(hit('a', 1, { verified: null }))).toBe('unknown');
    expect(verdictOf(hit('a', 1, { class: 'sample', verified: null }))).toBeNull();
  });
});

describe('the summary strip', () => {
  const counts = { ai_bot: 0, ai_referral: 0, sample: 0, search_engine: 0, event: 0, spoofed: 0 };
  /** The answer of the service at `NOW`: this many AI bots in each of thirty minutes. */
  const answer = (perMinute: number): LiveSummaryAnswer => ({
    from: new Date(NOW - WINDOW_MS).toISOString(),
    to: new Date(NOW).toISOString(),
    totals: { ...counts, ai_bot: perMinute * 30, spoofed: perMinute },
    minutes: Array.from({ length: 30 }, (_, index) => ({
      ...counts,
      at: new Date(NOW - (29 - index) * 60_000).toISOString(),
      ai_bot: perMinute,
    })),
  });
  const rows = (...items: LiveItem[]) => after({ type: 'arrived', items, now: NOW }).rows;
  const arrived = (id: string, secondsLater: number, more: Partial<LiveItem> = {}) =>
    hit(id, -secondsLater, { received_at: new Date(NOW + secondsLater * 1_000).toISOString(), ...more });

  it('shows the counts of the service, even when the list holds fewer rows', () => {
    const { total, minutes, spoofed } = summarize(answer(1_000), rows(hit('a', 5), hit('b', 70)));
    expect(total).toEqual({ ai_bot: 30_000, ai_referral: 0, sample: 0, search_engine: 0, event: 0 });
    expect(spoofed).toBe(1_000);
    expect(minutes).toHaveLength(30);
    expect(minutes[29]).toEqual({ at: NOW, counts: { ...total, ai_bot: 1_000 }, spoofed: 0 });
  });

  it('adds rows that arrived since, without counting any twice', () => {
    const since = rows(
      arrived('counted', 0),
      arrived('bot', 1, { verified: false }),
      arrived('referral', 2, { class: 'ai_referral', verified: null }),
      arrived('search', 3, { class: 'search_engine', verified: false }),
    );
    const { total, minutes, spoofed } = summarize(answer(10), since);
    expect(total).toEqual({ ai_bot: 301, ai_referral: 1, sample: 0, search_engine: 1, event: 0 });
    expect(spoofed).toBe(11);
    expect(minutes[29]?.spoofed).toBe(1);
    expect(minutes[29]?.counts).toEqual({
      ai_bot: 11,
      ai_referral: 1,
      sample: 0,
      search_engine: 1,
      event: 0,
    });
  });

  it('counts neither a visit of last month that an import brings now, nor a test', () => {
    const { total, minutes } = summarize(
      answer(1),
      rows(
        arrived('imported', 5, { at: new Date(NOW - 30 * 86_400_000).toISOString() }),
        arrived('tried', 5, { class: 'test' }),
      ),
    );
    expect(total.ai_bot).toBe(30);
    expect(minutes.map(({ counts: { ai_bot } }) => ai_bot)).toEqual(Array(30).fill(1));
  });

  it('moves on by a minute with the first row of the next, and stays thirty minutes long', () => {
    const { minutes } = summarize(answer(1), rows(arrived('next', 61)));
    expect(minutes.map(({ at }) => at)).toEqual(
      Array.from({ length: 30 }, (_, index) => NOW - (28 - index) * 60_000),
    );
    expect(minutes.map(({ counts: { ai_bot } }) => ai_bot)).toEqual(Array(30).fill(1));
  });
});

describe('the scale of the minutes', () => {
  const quiet = Array<number>(28).fill(6);

  it('fits the highest, and no less than a few', () => {
    expect(minuteScale([])).toEqual({ top: 4, ticks: [0, 2, 4] });
    expect(minuteScale([...quiet, 9, 14])).toEqual({ top: 16, ticks: [0, 8, 16] });
  });

  it('fits it also where a minute or two tower above all others', () => {
    expect(minuteScale([...quiet, 700, 450])).toEqual({ top: 800, ticks: [0, 400, 800] });
    expect(minuteScale([...quiet, 31])).toEqual({ top: 40, ticks: [0, 20, 40] });
  });
});

describe('the count of the list', () => {
  const list = { shown: 500, held: 500, waiting: 0, there: 12_345, tests: 0, events: 0, filtered: false };
  it('says when the list is cut', () => {
    expect(listCount(list)).toBe('Newest 500 of 12,345 visits');
    expect(listCount({ ...list, shown: 3, filtered: true })).toBe('3 of the newest 500 visits');
  });
  it('counts the list itself when it is complete', () => {
    expect(listCount({ ...list, there: 500 })).toBe('500 visits');
    expect(listCount({ ...list, there: 502, waiting: 2 })).toBe('500 visits');
    expect(listCount({ ...list, shown: 5, held: 5, there: 6 })).toBe('5 visits');
    expect(listCount({ ...list, shown: 1, held: 5, there: 5, filtered: true })).toBe('1 of 5 visits');
    expect(listCount({ ...list, shown: 1, held: 1, there: 0 })).toBe('1 visit');
  });
  it('counts tests apart, which the figures above leave out', () => {
    const all = { ...list, shown: 10, held: 10, there: 9 };
    expect(listCount({ ...all, tests: 1 })).toBe('9 visits and 1 test');
    expect(listCount({ ...all, tests: 2 })).toBe('8 visits and 2 tests');
  });
  it('counts browser events apart, which are no visits', () => {
    const all = { ...list, shown: 10, held: 10, there: 10 };
    expect(listCount({ ...all, events: 4 })).toBe('6 visits and 4 browser events');
    expect(listCount({ ...all, events: 1, tests: 2 })).toBe('7 visits, 1 browser event and 2 tests');
    expect(listCount({ ...list, events: 4 })).toBe('Newest 500 of 12,345 rows');
    expect(listCount({ ...all, shown: 3, events: 4, filtered: true })).toBe('3 of 10 rows');
  });
});
