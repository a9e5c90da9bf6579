/** What the visitor must not wait for. */
import { compileLists } from '@ghostlight/core';
import { expect, it } from 'vitest';
import { publishedLists } from '../testing/lists.ts';
import { ATTRIBUTION_ID, GPTBOT } from '../testing/values.ts';
import { createObserver } from './index.ts';

const TO = { ingestUrl: '', apiKey: '', attributionId: ATTRIBUTION_ID, botlistUrl: '', sampleRate: 0 };

it('a visit is classified and posted only when its answer has had time to leave', async () => {
  const done: string[] = [];
  const pauses: (() => void)[] = [];
  const background: Promise<unknown>[] = [];
  const inUse = { compiled: compileLists(publishedLists()), origin: 'served' } as const;
  const observer = createObserver({
    lists: {
      current: () => inUse,
      renewed: async () => {
        done.push('lists');
        return inUse;
      },
    },
    signatures: {
      verify: async () => {
        done.push('signature');
        return { outcome: 'absent', reason: 'none' };
      },
    },
    forwarder: { forward: async () => void done.push('post') },
    isBot: () => true,
    now: () => 0,
    random: () => 0.5,
    sleep: () => new Promise((resolve) => pauses.push(resolve)),
  });
  const ctx = {
    waitUntil: (promise: Promise<unknown>) => void background.push(promise),
    passThroughOnException: () => {},
  };
  const url = new URL('https://shop.example/');
  const headers = { 'user-agent': GPTBOT, signature: 'sig1=:AA==:' };
  const sighting = observer.look(new Request(url, { headers }), url, TO, ctx);
  if (sighting === null) throw new Error('a bot was overlooked');
  observer.report(sighting, new Response('hello', { headers: { 'content-length': '5' } }), ctx);
  // All that the platform runs before it writes the answer.
  await new Promise(setImmediate);
  expect(done).toEqual([]);
  for (const wake of pauses) wake();
  await Promise.all(background);
  expect(done).toEqual(['lists', 'signature', 'post']);
});
