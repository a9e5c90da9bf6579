import { useEffect } from 'react';
import { useProperty } from '../property/useProperty.ts';
import { useSession } from '../session/useSession.ts';
import { useOpenAlerts } from './useOpenAlerts.ts';

/** `(1) Bots · shop.example · Ghostlight`: of many tabs the right one is found, and an open alert is seen from any of them. */
export function useTabTitle(page: string): void {
  const property = useProperty();
  const { organization } = useSession();
  const alerts = useOpenAlerts(property?.id ?? null);
  const place = property?.domain ?? organization?.name;
  useEffect(() => {
    const names = [page, place, 'Ghostlight'].filter((name) => name !== undefined).join(' · ');
    document.title = alerts === 0 ? names : `(${alerts}) ${names}`;
  }, [page, place, alerts]);
}
