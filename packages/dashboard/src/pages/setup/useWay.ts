import { useNavigate, useSearch } from '@tanstack/react-router';

/** The chosen way, held in the address. */
export function useWay(): [string | undefined, (way: string) => void] {
  const { via } = useSearch({ strict: false });
  const navigate = useNavigate();
  return [via, (way) => void navigate({ to: '.', search: { via: way }, replace: true })];
}
