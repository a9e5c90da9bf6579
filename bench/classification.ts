/** One user agent's class: warm, over the vectors; and the worst that an attacker can send. */
import { classify, compileLists, embeddedLists } from '@ghostlight/core';
import vectors from '@ghostlight/core/vectors/classify.json' with { type: 'json' };
import { isbot } from 'isbot';
import { type Figure, median } from './harness.ts';

const ROUNDS = 5;
const WARM_CALLS = 400_000;
const ADVERSARIAL_CALLS = 4_000;

/** Near-matches of long tokens from every position that a token may begin at, 1 KiB of them. */
const ADVERSARIAL = [
  'gptbo gptbo '.repeat(86).slice(0, 1_024),
  'claude-searchbo;'.repeat(64),
  `${'g.'.repeat(512)}`,
  '-'.repeat(1_024),
  'google-cloudvertexbo/'.repeat(49).slice(0, 1_024),
];

export async function classification(): Promise<Figure[]> {
  const lists = compileLists(embeddedLists());
  const hit = (userAgent: string) => ({
    host: 'shop.example',
    userAgent,
    referrer: '',
    query: new Map<string, string>(),
    platformCategory: null,
    signatureAgent: '',
    edgeVerified: null,
    edgeVerifiedBy: null,
    sampleRate: null,
  });
  const microseconds = (hits: readonly ReturnType<typeof hit>[], calls: number): number => {
    const rounds = Array.from({ length: ROUNDS }, () => {
      const start = performance.now();
      for (let call = 0; call < calls; call += 1) {
        const next = hits[call % hits.length];
        if (next !== undefined) classify(next, lists, isbot);
      }
      return ((performance.now() - start) * 1_000) / calls;
    });
    return median(rounds);
  };
  const warm = microseconds(
    vectors.cases.map(({ user_agent }) => hit(user_agent)),
    WARM_CALLS,
  );
  const worst = Math.max(...ADVERSARIAL.map((agent) => microseconds([hit(agent)], ADVERSARIAL_CALLS)));
  return [
    { what: 'classification, warm', measured: `${warm.toFixed(2)} µs`, target: '< 1 µs', holds: warm < 1 },
    {
      what: 'classification, 1 KiB adversarial user agent',
      measured: `${worst.toFixed(1)} µs`,
      target: '< 50 µs',
      holds: worst < 50,
    },
  ];
}
