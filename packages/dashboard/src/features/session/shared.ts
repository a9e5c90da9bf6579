/** The view of a share link: one property, read-only, without a session. */
import { createContext, useContext } from 'react';
import type { Property, Session } from '../../api/types.ts';
import type { FilteredPage } from '../reports/search.ts';

export interface SharedView {
  /** Of the link, as it is in the address. */
  readonly token: string;
  readonly property: Property;
}

/** null: the reader is signed in. */
export const SharedContext = createContext<SharedView | null>(null);
export const useShared = (): SharedView | null => useContext(SharedContext);

/** The pages of a share link, in the order of its tabs. */
export const SHARED_PAGES = [
  ['overview', 'Overview'],
  ['bots', 'Bots'],
  ['pages', 'Pages'],
  ['failures', 'Failures'],
  ['referrals', 'Referrals'],
  ['share', 'AI share'],
] as const satisfies readonly (readonly [FilteredPage, string])[];
export type SharedPage = (typeof SHARED_PAGES)[number][0];

export const isSharedPage = (page: FilteredPage): page is SharedPage =>
  SHARED_PAGES.some(([name]) => name === page);

/** What a page knows of its reader there. */
export const SHARED_SESSION: Session = {
  ...{ kind: 'token', actor: 'share', role: 'viewer', runs_installation: false },
  ...{ organization_id: null, organization: null, person: null, properties: [] },
};
