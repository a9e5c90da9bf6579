/**
 * What the visits of a report are told apart by, each into a few kinds. A condition names kinds, and is read in two ways: by the engine as SQL,
 * and here of rows that the engine has told apart.
 */
import { REFERRAL_SIGNALS, VERDICT_REASONS, type VerdictReason } from '@ghostlight/core';
import { IN_PERIOD } from './facts.ts';

interface Kind {
  /** Of a visit, over `f`. */
  readonly sql: string;
  /** What the dimension's `key` is for it, in JSON. */
  readonly keys: readonly unknown[];
}
interface Dimension {
  readonly key: string;
  readonly kinds: Readonly<Record<string, Kind>>;
}

const kind = (sql: string, ...keys: readonly unknown[]): Kind => ({ sql, keys });
const words = <Word extends string>(column: string, names: readonly Word[]) =>
  ({
    key: `toString(f.${column})`,
    kinds: Object.fromEntries(names.map((name) => [name, kind(`f.${column} = '${name}'`, name)])) as Record<
      Word,
      Kind
    >,
  }) as const;
const between = (from: number, to: number): string => `f.status >= ${from} AND f.status < ${to}`;

/** '': it was not recorded yet. */
export type RecordedReason = VerdictReason | '';
export const RECORDED_REASONS = ['', ...Object.keys(VERDICT_REASONS)] as RecordedReason[];

const DIMENSIONS = {
  /** Of the period itself, or of the one before, where that is read too. */
  period: {
    key: `toUInt8(${IN_PERIOD})`,
    kinds: { now: kind(IN_PERIOD, 1), before: kind(`NOT (${IN_PERIOD})`, 0) },
  },
  /** Days that are not over have no counterpart. */
  comparison: {
    key: 'toUInt8(f.day <= {compared_to:Date})',
    kinds: { compared: kind('f.day <= {compared_to:Date}', 1) },
  },
  population: { key: 'toUInt8(f.counted)', kinds: { counted: kind('f.counted', 1) } },
  verdict: {
    key: 'f.verified',
    kinds: {
      verified: kind('f.verified = true', true),
      spoofed: kind('f.verified = false', false),
      unknown: kind('f.verified IS NULL', null),
    },
  },
  method: words('verified_by', ['signature', 'edge_cidr', 'edge_platform', 'server_cidr']),
  reason: words('verdict_reason', RECORDED_REASONS),
  /** By its status; what lies beyond 599 is no status of HTTP, and its meaning is unknown. */
  answer: {
    key: 'multiIf(f.status = 304, 2, f.status = 0 OR f.status >= 200, intDiv(f.status, 100), 1)',
    kinds: {
      /** Its sender doesn't tell it. */
      untold: kind('f.status = 0', 0),
      /** 304 answers a question whether anything has changed: the visitor was not redirected. */
      ok: kind(`(${between(200, 300)}) OR f.status = 304`, 2),
      redirect: kind(`${between(300, 400)} AND f.status != 304`, 3),
      client_error: kind(between(400, 500), 4),
      server_error: kind(between(500, 600), 5),
    },
  },
  intent: {
    key: 'toString(f.intent)',
    kinds: {
      ...words('intent', ['training', 'search', 'on_demand']).kinds,
      other: kind("f.intent IN ('other', '')", 'other', ''),
    },
  },
  signal: words('referral_signal', REFERRAL_SIGNALS),
} as const satisfies Readonly<Record<string, Dimension>>;
export type DimensionName = keyof typeof DIMENSIONS;

/** Of each dimension that is named one of some kinds. */
export type Condition = {
  readonly [Name in DimensionName]?: readonly (keyof (typeof DIMENSIONS)[Name]['kinds'])[];
};

const kindsOf = (condition: Condition): [name: DimensionName, kinds: Kind[]][] =>
  (Object.entries(condition) as [DimensionName, readonly string[]][]).map(([name, named]) => {
    const { kinds }: Dimension = DIMENSIONS[name];
    return [name, named.flatMap((one) => kinds[one] ?? [])];
  });

export const dimensionsOf = (condition: Condition): DimensionName[] =>
  kindsOf(condition).map(([name]) => name);

/** Over `f`. */
export const sqlOf = (condition: Condition): string =>
  kindsOf(condition)
    .map(([, kinds]) => `(${kinds.map(({ sql }) => (kinds.length > 1 ? `(${sql})` : sql)).join(' OR ')})`)
    .join(' AND ') || 'true';

/** What the population has in the period, and what it had before. */
export const OF_NOW: Condition = { period: ['now'], population: ['counted'] };
export const OF_BEFORE: Condition = { period: ['before'], population: ['counted'] };
export const NOW = sqlOf(OF_NOW);

/** What a dimension's visits are grouped by, and the name of that column in the answer, which is none of `f`. */
export const groupedBy = (name: DimensionName) => ({ column: `by_${name}`, sql: DIMENSIONS[name].key });

/** Whether a condition holds for the visits of a row that was grouped by all dimensions of the condition. */
export function testOf(condition: Condition): (row: Readonly<Record<string, unknown>>) => boolean {
  const tests = kindsOf(condition).map(
    ([name, kinds]) => [groupedBy(name).column, kinds.flatMap(({ keys }) => keys)] as const,
  );
  return (row) => tests.every(([column, keys]) => keys.includes(row[column]));
}
