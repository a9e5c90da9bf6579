/** Which visits the explorer is asked for, as conditions over a relation of visits. */
import { isAsset } from './assets.ts';
import type { FactClass } from './daily-tables.ts';

/** `none`: of people, who have no verdict. */
export const VISIT_VERDICTS = ['verified', 'spoofed', 'unknown', 'none'] as const;
export type VisitVerdict = (typeof VISIT_VERDICTS)[number];

/** Tests are stored as visits, and no daily row counts them. */
export type VisitClass = FactClass | 'test';

/** Absent members narrow nothing. */
export interface VisitFilter {
  readonly classes: readonly VisitClass[];
  /** Of bots, or `none`. */
  readonly verdicts?: readonly VisitVerdict[];
  /** In any letter case, as `vendor` and `host`. */
  readonly bot?: string;
  readonly vendor?: string;
  readonly intent?: string;
  readonly verdict_reason?: string;
  readonly verified_by?: string;
  /** The path's beginning. */
  readonly path?: string;
  /** A path whole. */
  readonly page?: string;
  /** What the path's form says: a file's address, or a page's. Shares count pages in the same way. */
  readonly kind?: 'page' | 'file';
  /** In any letter case, as `user_agent`. */
  readonly path_contains?: string;
  readonly host?: string;
  /** Inclusive; any of them. */
  readonly statuses?: readonly StatusRange[];
  /** Two upper-case letters. */
  readonly country?: string;
  /** 0: not known. */
  readonly asn?: number;
  /** Any of these names. */
  readonly sources?: readonly string[];
  /** Of the collector. */
  readonly version?: string;
  readonly user_agent?: string;
  /** The AI product that a referral came from. */
  readonly engine?: string;
  /** How that was known. */
  readonly referral_signal?: string;
  /** Whether a visit that names no bot of the lists is a program's. */
  readonly other_bot?: boolean;
}

export interface StatusRange {
  readonly from: number;
  readonly to: number;
  /** Not this one. */
  readonly but?: number;
}

type Member = Exclude<keyof VisitFilter, 'classes'>;

/** Member → the column that it reads, and its condition on a relation. */
const CONDITIONS: Readonly<
  Record<Member, readonly [column: string, condition: (column: string, filter: VisitFilter) => string]>
> = {
  verdicts: [
    'verified',
    (column, { verdicts = [] }) => `(${verdicts.map((one) => VERDICTS[one](column)).join(' OR ')})`,
  ],
  bot: ['bot_name', (column) => `lowerUTF8(${column}) = lowerUTF8({bot:String})`],
  vendor: ['vendor', (column) => `lowerUTF8(${column}) = lowerUTF8({vendor:String})`],
  intent: ['intent', (column) => `toString(${column}) = {intent:String}`],
  verdict_reason: ['verdict_reason', (column) => `${column} = {verdict_reason:String}`],
  verified_by: ['verified_by', (column) => `toString(${column}) = {verified_by:String}`],
  path: ['path', (column) => `startsWith(${column}, {path:String})`],
  page: ['path', (column) => `${column} = {page:String}`],
  kind: ['path', (column, { kind }) => `${kind === 'page' ? 'NOT ' : ''}${isAsset(column)}`],
  path_contains: [
    'path',
    (column, { path_contains: text = '' }) => contains(column, text, '{path_contains:String}'),
  ],
  host: ['host', (column) => `${column} = lower({host:String})`],
  statuses: [
    'status',
    (column, { statuses = [] }) => `(${statuses.map((one) => within(column, one)).join(' OR ')})`,
  ],
  country: ['country', (column) => `${column} = {country:String}`],
  asn: ['asn', (column) => `${column} = {asn:UInt32}`],
  sources: ['source', (column) => `has({sources:Array(String)}, toString(${column}))`],
  version: ['worker_version', (column) => `${column} = {version:String}`],
  user_agent: [
    'user_agent',
    (column, { user_agent: text = '' }) => contains(column, text, '{user_agent:String}'),
  ],
  engine: ['referrer_engine', (column) => `${column} = {engine:String}`],
  referral_signal: ['referral_signal', (column) => `toString(${column}) = {referral_signal:String}`],
  other_bot: ['other_bot', (column, { other_bot: isBot }) => `${isBot === true ? '' : 'NOT '}${column}`],
};

/** Letters of ASCII are sought byte by byte, in half of the time: the others may have several forms, some of them of another length. */
const contains = (column: string, text: string, parameter: string): string =>
  `positionCaseInsensitive${/^[\x20-\x7e]*$/.test(text) ? '' : 'UTF8'}(${column}, ${parameter}) > 0`;

const VERDICTS: Readonly<Record<VisitVerdict, (column: string) => string>> = {
  verified: (column) => `${column} = true`,
  spoofed: (column) => `${column} = false`,
  unknown: (column) => `${column} IS NULL`,
  // The class is a column of every relation of visits.
  none: (column) => `${column.replace(/verified$/, 'class')} NOT IN ('ai_bot', 'search_engine')`,
};

/** Numbers that were read as numbers, so they can be part of a statement. */
const within = (column: string, { from, to, but }: StatusRange): string =>
  `(${column} >= ${Math.trunc(from)} AND ${column} <= ${Math.trunc(to)}${but === undefined ? '' : ` AND ${column} != ${Math.trunc(but)}`})`;

const membersOf = (filter: VisitFilter): Member[] =>
  (Object.keys(CONDITIONS) as Member[]).filter((name) => filter[name] !== undefined);

/** Those of the filter's classes that can pass it: a person's visit has no verdict. */
export const classesOf = ({ classes, verdicts }: VisitFilter): VisitClass[] =>
  classes.filter(
    (name) => verdicts?.includes('none') !== false || name === 'ai_bot' || name === 'search_engine',
  );

/** The same, where daily rows have all of them. */
export function countedClassesOf(filter: VisitFilter): FactClass[] | null {
  const classes = classesOf(filter);
  const counted = classes.filter((name) => name !== 'test');
  return counted.length === classes.length ? counted : null;
}

/** What the conditions read. */
export const columnsOf = (filter: VisitFilter): string[] => [
  ...new Set(membersOf(filter).map((name) => CONDITIONS[name][0])),
];

/** @param relation its name in the statement @returns a condition that `visitParams` belongs to */
export function visitConditions(filter: VisitFilter, relation: string): string {
  const parts = membersOf(filter).map((name) => {
    const [column, condition] = CONDITIONS[name];
    return condition(`${relation}.${column}`, filter);
  });
  const classes = classesOf(filter).map((name) => `'${name}'`);
  return [classes.length === 0 ? 'false' : `${relation}.class IN (${classes.join(', ')})`, ...parts].join(
    '\n  AND ',
  );
}

export const visitParams = (filter: VisitFilter): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filter).filter(
      ([name, value]) =>
        value !== undefined && !['classes', 'verdicts', 'statuses', 'other_bot', 'kind'].includes(name),
    ),
  );
