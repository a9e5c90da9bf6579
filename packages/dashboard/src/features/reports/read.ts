/** What was read, as people say it: pages, and files apart from them. */
import { countText } from './figures.ts';

export interface ReadCounts {
  readonly pages: number;
  readonly files: number;
}

export const pagesText = (pages: number): string => `${countText(pages)} ${pages === 1 ? 'page' : 'pages'}`;
export const filesText = (files: number): string => `${countText(files)} ${files === 1 ? 'file' : 'files'}`;

/** `68 pages and 7 files`; files are left out where there are none. */
export const readText = ({ pages, files }: ReadCounts): string =>
  files === 0 ? pagesText(pages) : `${pagesText(pages)} and ${filesText(files)}`;
