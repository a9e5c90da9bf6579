/** The search parameters of a destination. */
import { oneOf } from '../../format/search.ts';

const VIEWS = ['overview', 'events', 'settings', 'test'] as const;
export type DestinationView = (typeof VIEWS)[number];

export interface DestinationSearch {
  view?: DestinationView;
}

/** Reads untrusted search parameters; the default view is left out. */
export function readDestinationSearch(search: Record<string, unknown>): DestinationSearch {
  const view = oneOf(VIEWS.slice(1), search['view']);
  return view === undefined ? {} : { view };
}
