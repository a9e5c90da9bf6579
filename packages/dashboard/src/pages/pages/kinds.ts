/** Pages, files or all: the kinds of paths. */
import type { ReportAnswer } from '../../features/reports/api.ts';
import type { ReportSearch } from '../../features/reports/search.ts';

export const PATH_KINDS = [
  ['page', 'Pages'],
  ['file', 'Files'],
  ['all', 'All'],
] as const;
export type PathKind = (typeof PATH_KINDS)[number][0];

/** Lists show pages by default; a single path is shown in any kind. */
const usual = ({ page }: ReportSearch): PathKind => (page === undefined ? 'page' : 'all');

export const kindOf = (search: ReportSearch): PathKind =>
  PATH_KINDS.find(([kind]) => kind === search.kind)?.[0] ?? usual(search);

/** The search parameter; the default is left out. */
export const kindInAddress = (search: ReportSearch, kind: PathKind): PathKind | undefined =>
  kind === usual(search) ? undefined : kind;

export type PagesAnswer = ReportAnswer<'pages'>;
type Row = PagesAnswer['items'][number];
type KeyOf<One> = One extends unknown ? keyof One : never;
type ValueOf<One, Key> = One extends unknown ? (Key extends keyof One ? One[Key] : never) : never;

/** One type for the three groupings; members that a grouping lacks are absent. */
export type PageItem = Pick<Row, keyof Row> & {
  readonly [Key in Exclude<KeyOf<Row>, keyof Row>]?: ValueOf<Row, Key>;
};

export type UnreadAnswer = ReportAnswer<'pages/unread'>;
export type UnreadItem = UnreadAnswer['items'][number];
export type Sitemap = ReportAnswer<'sitemap'>;
