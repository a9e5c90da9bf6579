/** Filters of the audit log, in its address. The first view loads this file. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { compact, dayOf, textOf } from '../../format/search.ts';

export interface AuditSearch {
  /** The beginning of an action's name. */
  action?: string;
  /** `person:<id>`, `token:<id>`, `root`. */
  actor?: string;
  /** Days of the reader's zone, inclusive. */
  from?: string;
  to?: string;
}

export type AuditChange = { [K in keyof AuditSearch]?: AuditSearch[K] | undefined };

/** Reads untrusted search parameters; anything else is left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const action = textOf(search['action']);
  const [from, to] = [dayOf(search['from']), dayOf(search['to'])];
  return compact<AuditSearch>({
    action: action !== undefined && /^[a-z_.]{1,60}$/.test(action) ? action : undefined,
    actor: textOf(search['actor'])?.slice(0, 100),
    from,
    to: from !== undefined && to !== undefined && to < from ? undefined : to,
  });
}

/** The filters of the address, and a function to change them. An undefined value removes one. */
export function useAuditSearch(): [AuditSearch, (change: AuditChange) => void] {
  const { organization, ...search } = useSearch({ from: '/signed-in/people/organization/audit' });
  const navigate = useNavigate({ from: '/organization/audit' });
  return [
    search,
    (change) =>
      void navigate({
        to: '.',
        search: compact<AuditSearch & { organization?: string }>({ organization, ...search, ...change }),
        replace: true,
        resetScroll: false,
      }),
  ];
}
