import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lastingStream, readStreamData, type StreamSource } from './stream.ts';

const row = { id: 'a', class: 'ai_bot' };

it('reads one row, a list, and an object with a list', () => {
  expect(readStreamData(JSON.stringify(row))).toEqual([row]);
  expect(readStreamData(JSON.stringify([row, row]))).toHaveLength(2);
  expect(readStreamData(JSON.stringify({ items: [row] }))).toEqual([row]);
});

it('reads nothing from what holds no row', () => {
  for (const data of ['', '{', 'null', '7', '{}', '[null,{"id":1}]', '{"items":[{}]}']) {
    expect(readStreamData(data)).toEqual([]);
  }
});

const CONNECTING = 0;
const CLOSED = 2;

class Source extends EventTarget implements StreamSource {
  readyState = CONNECTING;
  close(): void {
    this.readyState = CLOSED;
  }
  fail(readyState: number): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }
}

let opened: Source[];
const heard = { hits: [] as string[], open: 0, away: 0 };
let end: () => void;
const latest = () => opened.at(-1) as Source;

beforeEach(() => {
  vi.useFakeTimers();
  opened = [];
  Object.assign(heard, { hits: [], open: 0, away: 0 });
  end = lastingStream(
    () => {
      const source = new Source();
      opened.push(source);
      return source;
    },
    {
      events: { hit: (data) => heard.hits.push(data) },
      onOpen: () => {
        heard.open += 1;
      },
      onAway: () => {
        heard.away += 1;
      },
    },
  );
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

it('reopens a stream after an error status', () => {
  latest().fail(CLOSED);
  expect(heard.away).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(opened).toHaveLength(2);
  latest().dispatchEvent(new Event('open'));
  latest().dispatchEvent(new MessageEvent('hit', { data: 'row' }));
  expect(heard).toMatchObject({ open: 1, hits: ['row'] });
});

it('the browser reconnects a cut connection itself: no second one is opened', () => {
  latest().fail(CONNECTING);
  vi.advanceTimersByTime(600_000);
  expect(opened).toHaveLength(1);
});

it('waits longer each time, at most a minute, and resets after a connection that lasted', () => {
  const waits = Array.from({ length: 9 }, () => {
    const [count, from] = [opened.length, Date.now()];
    latest().fail(CLOSED);
    while (opened.length === count) vi.advanceTimersByTime(500);
    return (Date.now() - from) / 1_000;
  });
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  latest().dispatchEvent(new Event('open'));
  latest().fail(CLOSED);
  vi.advanceTimersByTime(1_000);
  expect(opened).toHaveLength(11);
});

it('opens nothing after it has ended', () => {
  latest().fail(CLOSED);
  end();
  vi.advanceTimersByTime(600_000);
  expect(opened).toHaveLength(1);
  expect(latest().readyState).toBe(CLOSED);
});
