import type { ReadCounts } from '../../features/reports/read.ts';
import type { Compared, Envelope, Figures, Intent, Paged } from '../../features/reports/types.ts';

type Previous = { readonly hits: number };

/** One shape for the three groupings; members that a grouping lacks are absent. */
export interface PageItem extends Figures, Compared<Previous>, Partial<Record<Intent, number>> {
  readonly host?: string;
  readonly path?: string;
  /** Ends with `/`; where `is_folder` is false it is the page's path. */
  readonly folder?: string;
  readonly is_folder?: boolean;
  /** Of a path; null: a folder. */
  readonly kind: 'page' | 'file' | 'unread' | null;
  /** Null: not of the kind that is listed. */
  readonly pages?: number | null;
  readonly files?: number | null;
  readonly bots?: number;
  readonly bot?: string;
  readonly vendor?: string;
  readonly intent?: Intent | '';
}

export interface PagesAnswer extends Paged<PageItem> {
  /** Visits to what is listed; pages and files are counted whatever is listed. */
  readonly totals: Figures & Compared<Previous> & ReadCounts & { readonly bots: number };
}

export interface Sitemap {
  readonly state: 'none' | 'waiting' | 'ok' | 'failed';
  readonly url: string | null;
  readonly configured_url: string | null;
  readonly pages: number;
  readonly truncated: boolean;
  readonly skipped: number;
  readonly fetched_at: string | null;
  readonly tried_at: string | null;
  readonly error: string | null;
}

export interface UnreadItem {
  readonly host: string;
  readonly path: string;
  readonly kind: 'page' | 'file';
  /** Last day it was ever read; null: never. */
  readonly last_read: string | null;
}

/** Pages and files of the sitemap; `read` of what is listed. */
export interface UnreadAnswer extends Envelope, Paged<UnreadItem>, ReadCounts {
  readonly sitemap: Sitemap;
  readonly read: number;
}
