import { MINUTE_MS } from '@ghostlight/core/time';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { get } from '../../api/client.ts';
import { useProperty } from '../property/useProperty.ts';
import { useSession } from '../session/useSession.ts';

interface PageHeadProps {
  title: string;
  /** Title of the browser tab, when it differs. */
  tab?: string;
  about?: ReactNode;
  children?: ReactNode;
}

/** The title of a page, here and in the browser tab, with its actions. */
export function PageHead({ title, tab = title, about, children }: PageHeadProps) {
  useTabTitle(tab);
  return (
    <header className="page-head">
      <div className="page-title">
        <h1>{title}</h1>
        {about !== undefined && <p className="page-about">{about}</p>}
      </div>
      {children !== undefined && <div className="page-actions">{children}</div>}
    </header>
  );
}

/** `(1) Bots · shop.example · Ghostlight`: identifies the tab, and shows open alerts in every tab. */
function useTabTitle(page: string): void {
  const property = useProperty();
  const { organization } = useSession();
  const alerts = useOpenAlerts(property?.id ?? null);
  const place = property?.domain ?? organization?.name;
  useEffect(() => {
    const names = [page, place, 'Ghostlight'].filter((name) => name !== undefined).join(' · ');
    document.title = alerts === 0 ? names : `(${alerts}) ${names}`;
  }, [page, place, alerts]);
}

const SLOW_INTERVAL_MS = MINUTE_MS;

/** The number of open alerts of a property; 0 until it is known. @param propertyId null: no property */
export function useOpenAlerts(propertyId: string | null): number {
  const { data } = useQuery({
    queryKey: ['alerts', propertyId, 'count'],
    queryFn: ({ signal }) =>
      get('/api/v1/properties/{id}/alerts', {
        params: { id: propertyId ?? '' },
        query: { state: 'open', limit: 1 },
        signal,
      }),
    refetchInterval: SLOW_INTERVAL_MS,
    enabled: propertyId !== null,
  });
  return data?.open ?? 0;
}
