import { useNavigate, useSearch } from '@tanstack/react-router';
import { compact } from '../../format/search.ts';
import type { AuditChange, AuditSearch } from './search.ts';

/** The filters of the address, and how to change some. An undefined value takes one out. */
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
