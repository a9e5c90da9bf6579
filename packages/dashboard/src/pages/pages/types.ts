import type { ReportAnswer } from '../../features/reports/api.ts';

export type PagesAnswer = ReportAnswer<'pages'>;
type Row = PagesAnswer['items'][number];
type KeyOf<One> = One extends unknown ? keyof One : never;
type ValueOf<One, Key> = One extends unknown ? (Key extends keyof One ? One[Key] : never) : never;

/** One shape for the three groupings; members that a grouping lacks are absent. */
export type PageItem = Pick<Row, keyof Row> & {
  readonly [Key in Exclude<KeyOf<Row>, keyof Row>]?: ValueOf<Row, Key>;
};

export type UnreadAnswer = ReportAnswer<'pages/unread'>;
export type UnreadItem = UnreadAnswer['items'][number];
export type Sitemap = ReportAnswer<'sitemap'>;
