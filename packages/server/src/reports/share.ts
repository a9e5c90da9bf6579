/**
 * What part of the traffic something is, from hits that were all sent and samples of the rest. Each request of the rest was sampled
 * independently with a known rate, so 1/rate per sample (Horvitz–Thompson) adds up to what there was without bias, with the variance
 * Σ (1 − rate)/rate² over the samples, whatever the rates are: every rate is a stratum of its own.
 *
 * The interval: each part gets score limits (those of a Poisson count, scaled by what a sample stands for), and the ratio of two parts
 * is enclosed by MOVER (Donner and Zou 2012, Newcombe 2016) from the limits of both. Limits by ± 1.96 standard errors miss too often
 * on small counts and fall below zero; the bootstrap costs a thousand times as much and says the same. A part whose hits are all sent has
 * no error of its own: its interval is that of the sampled rest, turned around.
 *
 * It is the error of drawing samples within the period, nothing else, and holds where each request is drawn by itself. A sender that draws
 * several together (a visit with all its requests) knows less than the number of its samples says: of three drawn together the interval
 * covers the truth 76 times in a hundred. Nothing in a hit tells that, so it is said beside every interval.
 */

/** 97.5% quantile of the normal distribution. */
const Z = 1.959964;
/** Fewer effective samples say so little that a share would be read for more than it is. */
export const MIN_SAMPLES = 30;

/** Rows that were taken at one rate; 0: all of them were sent. */
export interface Stratum {
  readonly rate: number;
  readonly hits: number;
}

/** A part of the traffic, as far as it is known. */
export interface Part {
  /** Hits that are known one by one. */
  readonly exact: number;
  /** What the samples stand for. */
  readonly estimated: number;
  /** Of the estimate. */
  readonly variance: number;
  /** How the variance moves with the estimate: Σ (1 − rate)²/rate³. */
  readonly skew: number;
  /** Samples, at whatever rate. */
  readonly samples: number;
  /** Sums of what the samples stand for, and of its square. */
  readonly weight: number;
  readonly weight2: number;
  /** Known by samples: that none has shown any of it doesn't mean that there is none. */
  readonly isSampled: boolean;
}

const NOTHING: Part = {
  ...{ exact: 0, estimated: 0, variance: 0, skew: 0, samples: 0, weight: 0, weight2: 0 },
  isSampled: false,
};

export interface Share {
  /** 0 to 1. */
  readonly share: number;
  /** 95%. */
  readonly low: number;
  readonly high: number;
}

export interface Limits {
  readonly low: number;
  readonly high: number;
}

/** @param isSampled whether hits of its kind come as samples, whatever came */
export function partOf(strata: readonly Stratum[], isSampled = false): Part {
  const part = { ...NOTHING, isSampled };
  for (const { rate, hits } of strata) {
    // A sample of all is all of it.
    if (rate <= 0 || rate >= 1) part.exact += hits;
    else {
      part.isSampled = true;
      part.estimated += hits / rate;
      part.variance += (hits * (1 - rate)) / rate ** 2;
      part.skew += (hits * (1 - rate) ** 2) / rate ** 3;
    }
    if (rate > 0) {
      part.samples += hits;
      part.weight += hits / rate;
      part.weight2 += hits / rate ** 2;
    }
  }
  return part;
}

export const sumOfParts = (parts: readonly Part[]): Part =>
  parts.reduce(
    (sum, part) => ({
      exact: sum.exact + part.exact,
      estimated: sum.estimated + part.estimated,
      variance: sum.variance + part.variance,
      skew: sum.skew + part.skew,
      samples: sum.samples + part.samples,
      weight: sum.weight + part.weight,
      weight2: sum.weight2 + part.weight2,
      isSampled: sum.isSampled || part.isSampled,
    }),
    NOTHING,
  );

/** How many samples of one weight would say as much (Kish): a few that stand for thousands say little beside many that stand for ten. */
export const effectiveSamples = ({ weight, weight2 }: Part): number =>
  weight2 === 0 ? 0 : weight ** 2 / weight2;

export const hitsOf = ({ exact, estimated }: Part): number => exact + estimated;

/**
 * 95% limits of how many hits a part has.
 * @param unit by how much luck with one sample moves an estimate, where a sampled part has none: that of all the traffic
 */
export function limitsOf(
  { exact, estimated, variance, skew, samples, isSampled }: Part,
  unit: number,
): Limits {
  const worth = variance > 0 ? skew / variance : isSampled ? unit : 0;
  const centre = estimated + (Z ** 2 * worth) / 2;
  const reach = Z * Math.sqrt(variance + (Z * worth) ** 2 / 4);
  // What was seen was there.
  return { low: exact + Math.max(centre - reach, estimated > 0 ? samples : 0), high: exact + centre + reach };
}

/** @returns null where there is no traffic at all */
export function shareOf(part: Part, rest: Part): Share | null {
  const whole = sumOfParts([part, rest]);
  const total = hitsOf(whole);
  if (total === 0) return null;
  const unit = whole.variance > 0 ? whole.skew / whole.variance : 0;
  // The larger is known better, relative to its size: it stands below the line.
  const [small, large] = hitsOf(part) <= hitsOf(rest) ? [part, rest] : [rest, part];
  const ratio = ratioLimits(hitsOf(small), limitsOf(small, unit), hitsOf(large), limitsOf(large, unit));
  const low = toShare(ratio.low);
  const high = toShare(ratio.high);
  return {
    share: hitsOf(part) / total,
    ...(small === part ? { low, high } : { low: 1 - high, high: 1 - low }),
  };
}

const toShare = (ratio: number): number => (ratio === Number.POSITIVE_INFINITY ? 1 : ratio / (1 + ratio));

/** Limits of a/b from the limits of both, which are independent. */
function ratioLimits(a: number, ofA: Limits, b: number, ofB: Limits): Limits {
  const below = ofB.high * (2 * b - ofB.high);
  const above = ofB.low * (2 * b - ofB.low);
  // Where b is hardly known MOVER has no answer: the widest that both limits allow.
  if (below <= 0 || above <= 0)
    return { low: ofA.low / ofB.high, high: ofB.low > 0 ? ofA.high / ofB.low : Number.POSITIVE_INFINITY };
  const product = a * b;
  const under = Math.max(0, product ** 2 - ofA.low * (2 * a - ofA.low) * below);
  const over = Math.max(0, product ** 2 - ofA.high * (2 * a - ofA.high) * above);
  return {
    low: Math.max(0, (product - Math.sqrt(under)) / below),
    high: (product + Math.sqrt(over)) / above,
  };
}
