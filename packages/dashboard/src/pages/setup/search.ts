/** The chosen source of the Setup page in its address, or `curl` for a test visit. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { LogSource } from '../../api/types.ts';

export const TRY_IT = 'curl';

export function readWay(search: Record<string, unknown>): { via?: string } {
  const { via } = search;
  return typeof via === 'string' && /^[a-z0-9_-]{1,40}$/.test(via) ? { via } : {};
}

/** The slug that the page shows: that of a source, or `curl`; undefined: none is chosen, or an unknown one. */
export function chosenSlug(via: string | undefined, sources: readonly LogSource[]): string | undefined {
  return via === TRY_IT || sources.some(({ setup }) => setup.slug === via) ? via : undefined;
}

/** The choice in the address, and a function to change it. */
export function useVia(): [string | undefined, (via: string) => void] {
  const { via } = useSearch({ strict: false });
  const navigate = useNavigate();
  return [via, (chosen) => void navigate({ to: '.', search: { via: chosen }, replace: true })];
}
