import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FairPlaces } from './fair-places.ts';

function bench(limits: { perOwner: number; total: number }) {
  const places = new FairPlaces(limits);
  const begun: string[] = [];
  const releases: (() => void)[] = [];
  const enter = (owner: string, signal = new AbortController().signal): Promise<void> =>
    places.take(owner, signal).then((release) => {
      begun.push(owner);
      releases.push(release);
    });
  return { enter, begun, end: (n: number) => releases[n]?.() };
}

it('gives an organization its share at most, and a free place to the one that has the fewest', async () => {
  const { enter, begun, end } = bench({ perOwner: 2, total: 3 });
  for (const owner of 'aaaaabbc') void enter(owner);
  await turn();
  expect(begun.join('')).toBe('aab');
  end(2);
  await turn();
  expect(begun.join('')).toBe('aabb');
  end(0);
  await turn();
  expect(begun.join('')).toBe('aabbc');
  for (let n = 1; n < 8; n += 1) {
    end(n);
    await turn();
  }
  expect([...begun].sort().join('')).toBe('aaaaabbc');
});

it('forgets one that waits no longer', async () => {
  const { enter, begun, end } = bench({ perOwner: 1, total: 1 });
  const leaving = new AbortController();
  await enter('a');
  const left = expect(enter('a', leaving.signal)).rejects.toThrow('left');
  void enter('b');
  leaving.abort(new Error('left'));
  await left;
  end(0);
  await turn();
  expect(begun.join('')).toBe('ab');
  await expect(enter('c', leaving.signal)).rejects.toThrow('left');
});
