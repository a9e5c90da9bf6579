/** The three lists: embedded snapshot, daily refresh with last good kept, publication to the collectors. */

export type { CustomBot } from './custom-bots.ts';
export {
  createLists,
  type Lists,
  type ListsOptions,
  type RefreshReport,
  type SourceStatus,
} from './lists.ts';
export type { Publication } from './publication.ts';
export { type ListSource, listSources } from './sources.ts';
