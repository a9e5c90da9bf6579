import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Way } from './search.ts';

/** The chosen way, held in the address. */
export function useWay(): [Way, (way: Way) => void] {
  const { via } = useSearch({ strict: false });
  const navigate = useNavigate();
  return [via ?? 'worker', (way) => void navigate({ to: '.', search: { via: way }, replace: true })];
}
