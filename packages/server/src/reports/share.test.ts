import { describe, expect, it } from 'vitest';
import {
  effectiveSamples,
  hitsOf,
  limitsOf,
  MIN_SAMPLES,
  type Part,
  partOf,
  shareOf,
  sumOfParts,
} from './share.ts';

/** Mulberry32: the same sites at every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How many of `count` requests are sampled, each by itself with this rate; by the gaps between them. */
function sampled(count: number, rate: number, random: () => number): number {
  if (rate >= 1) return count;
  let taken = 0;
  for (let at = -1; ; taken += 1) {
    at += 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - rate));
    if (at >= count) return taken;
  }
}

interface Site {
  /** Known parts and the truth about each. */
  readonly parts: Readonly<Record<'bots' | 'lateBots' | 'others' | 'people', Part>>;
  readonly truth: Readonly<Record<'bots' | 'others' | 'people', number>>;
}

/** A site of some hundred to some hundred thousand visits, at one rate or two, with AI bots that are all sent and some that came as samples. */
function site(random: () => number): Site {
  const rates = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5];
  const rate = () => rates[Math.floor(random() * rates.length)] ?? 0.02;
  const first = rate();
  const second = random() < 0.4 ? rate() : first;
  // So many that a good part of the sites is just above the least number of samples.
  const visits = Math.round((MIN_SAMPLES / first) * Math.exp(random() * 4.5));
  const others = Math.round(visits * random() * 0.4);
  const lateBots = random() < 0.3 ? Math.round(visits * random() * 0.05) : 0;
  const people = visits - others - lateBots;
  const bots = Math.round(visits * Math.exp(-1 - random() * 5));
  const taken = (count: number): Part => {
    const half = Math.floor(count / 2);
    return partOf(
      [
        { rate: first, hits: sampled(half, first, random) },
        { rate: second, hits: sampled(count - half, second, random) },
      ],
      true,
    );
  };
  return {
    parts: {
      bots: partOf([{ rate: 0, hits: bots }]),
      lateBots: lateBots > 0 ? taken(lateBots) : partOf([]),
      others: taken(others),
      people: taken(people),
    },
    truth: {
      bots: (bots + lateBots) / (visits + bots),
      others: others / (visits + bots),
      people: people / (visits + bots),
    },
  };
}

describe('the interval of a share', () => {
  it('covers the truth in 94 to 98 of a hundred sites, for each slice', () => {
    const random = seeded(20261121);
    const covered = { bots: 0, others: 0, people: 0 };
    let sites = 0;
    while (sites < 4_000) {
      const { parts, truth } = site(random);
      const whole = sumOfParts(Object.values(parts));
      // What the report doesn't answer it can't get wrong.
      if (effectiveSamples(whole) < MIN_SAMPLES) continue;
      sites += 1;
      const slices = {
        bots: sumOfParts([parts.bots, parts.lateBots]),
        others: parts.others,
        people: parts.people,
      };
      for (const name of ['bots', 'others', 'people'] as const) {
        const rest = sumOfParts([
          ...(['bots', 'others', 'people'] as const)
            .filter((other) => other !== name)
            .map((other) => slices[other]),
        ]);
        const share = shareOf(slices[name], rest);
        if (share !== null && share.low <= truth[name] && truth[name] <= share.high) covered[name] += 1;
      }
    }
    for (const [name, count] of Object.entries(covered)) {
      expect(count / sites, name).toBeGreaterThanOrEqual(0.935);
      expect(count / sites, name).toBeLessThanOrEqual(0.985);
    }
  });

  it.each([
    [0.008, 40],
    [0.008, 400],
    [0.08, 40],
    [0.08, 400],
    [0.5, 40],
  ])('of what was all sent, %s of the traffic, covers the truth with %s samples', (share, samples) => {
    const random = seeded(Math.round(share * 1_000) + samples);
    const rate = 0.02;
    const rest = samples / rate;
    const sent = Math.round((rest * share) / (1 - share));
    const truth = sent / (sent + rest);
    let covered = 0;
    let width = 0;
    for (let turn = 0; turn < 3_000; turn += 1) {
      const found = shareOf(
        partOf([{ rate: 0, hits: sent }]),
        partOf([{ rate, hits: sampled(rest, rate, random) }], true),
      );
      if (found === null) continue;
      if (found.low <= truth && truth <= found.high) covered += 1;
      width += (found.high - found.low) / truth / 3_000;
    }
    expect(covered / 3_000).toBeGreaterThanOrEqual(0.935);
    expect(covered / 3_000).toBeLessThanOrEqual(0.985);
    // Twice 1.96 standard errors of the rest, and what small numbers add.
    expect(width).toBeLessThan((2 * 1.96 * (1 - share)) / Math.sqrt(samples) / 0.8);
  });

  it('adds up to what there was, without bias, whatever the rates', () => {
    const random = seeded(7);
    let sum = 0;
    for (let turn = 0; turn < 2_000; turn += 1)
      sum += hitsOf(
        partOf([
          { rate: 0.02, hits: sampled(5_000, 0.02, random) },
          { rate: 0.5, hits: sampled(700, 0.5, random) },
        ]),
      );
    // The standard error of this mean is 11.
    expect(Math.abs(sum / 2_000 - 5_700)).toBeLessThan(44);
  });
});

describe('a share', () => {
  it('has no interval where everything is known', () => {
    const share = shareOf(partOf([{ rate: 0, hits: 10 }]), partOf([{ rate: 1, hits: 90 }]));
    expect(share?.share).toBe(0.1);
    expect(share?.low).toBeCloseTo(0.1, 12);
    expect(share?.high).toBeCloseTo(0.1, 12);
  });

  it('is none where there is no traffic', () => {
    expect(shareOf(partOf([]), partOf([]))).toBeNull();
  });

  it('of what was counted one by one knows as much as the rest does, whether it is little or nothing', () => {
    const rest = partOf([{ rate: 0.02, hits: 500 }], true);
    const { low: least, high: most } = limitsOf(rest, 0);
    const share = shareOf(partOf([{ rate: 0, hits: 156 }]), rest);
    expect(share?.low).toBeCloseTo(156 / (156 + most), 9);
    expect(share?.high).toBeCloseTo(156 / (156 + least), 9);
    expect(shareOf(partOf([]), rest)).toEqual({ share: 0, low: 0, high: 0 });
  });

  it('has as many effective samples as their weights say', () => {
    expect(effectiveSamples(partOf([{ rate: 0.1, hits: 50 }]))).toBeCloseTo(50, 9);
    const few = partOf([
      { rate: 0.5, hits: 60 },
      { rate: 0.001, hits: 4 },
    ]);
    expect(few.samples).toBe(64);
    expect(effectiveSamples(few)).toBeLessThan(5);
    expect(effectiveSamples(partOf([{ rate: 0, hits: 9 }]))).toBe(0);
  });

  it('of a part that no sample has shown is 0, and might be a little', () => {
    const share = shareOf(partOf([], true), partOf([{ rate: 0.02, hits: 500 }]));
    expect(share).toMatchObject({ share: 0, low: 0 });
    expect(share?.high).toBeGreaterThan(0.005);
    expect(share?.high).toBeLessThan(0.01);
  });

  it('lies within its limits, and those between 0 and 1, for any two parts', () => {
    const random = seeded(3);
    for (let turn = 0; turn < 2_000; turn += 1) {
      const part = () =>
        partOf([
          { rate: 0, hits: Math.floor(random() * 5) },
          { rate: 0.02, hits: Math.floor(random() ** 4 * 400) },
          { rate: 0.7, hits: Math.floor(random() ** 3 * 20) },
        ]);
      const share = shareOf(part(), part());
      if (share === null) continue;
      expect(share.low).toBeGreaterThanOrEqual(0);
      expect(share.high).toBeLessThanOrEqual(1);
      expect(share.low).toBeLessThanOrEqual(share.share + 1e-12);
      expect(share.high).toBeGreaterThanOrEqual(share.share - 1e-12);
    }
  });
});

it('a part is at least what was seen of it', () => {
  expect(limitsOf(partOf([{ rate: 0.01, hits: 1 }]), 99).low).toBeGreaterThanOrEqual(1);
});
