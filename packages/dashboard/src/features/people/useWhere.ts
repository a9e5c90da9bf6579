import { useSearch } from '@tanstack/react-router';
import { useSession } from '../session/useSession.ts';

/** The organization that the root token looks at, for `?organization=`; undefined for everybody who stands in one, and for its default. */
export function useWhere(): string | undefined {
  const { organization } = useSearch({ from: '/signed-in/people' });
  return useSession().organization === null ? organization : undefined;
}
