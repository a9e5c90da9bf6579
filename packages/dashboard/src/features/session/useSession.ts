import { type QueryClient, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { queries } from '../../api/queries.ts';
import type { Session } from '../../api/types.ts';
import { useHeldKeys } from '../keys/HeldKeys.tsx';
import { may, type Permission } from './may.ts';
import { SHARED_SESSION, useShared } from './shared.ts';

/** The session. Used below the routes that require one. */
export function useSession(): Session {
  const shared = useShared();
  const own = queries.session();
  const ofLink = {
    queryKey: ['session', 'shared'] as unknown as typeof own.queryKey,
    queryFn: async () => SHARED_SESSION,
    staleTime: Number.POSITIVE_INFINITY,
  };
  return useSuspenseQuery({ ...own, ...(shared === null ? {} : ofLink) }).data;
}

/** In the open property, where one is. */
export function useMay(permission: Permission): boolean {
  const { propertyId } = useParams({ strict: false });
  return may(useSession(), permission, propertyId);
}

/**
 * Removes from memory what a session has loaded, on the sign-in page: its own query stays, which is waiting there. Removed with the others, it would
 * wait for ever.
 */
export function forgetSession(queryClient: QueryClient): void {
  const [own] = queries.signInOptions().queryKey;
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== own });
}

/** Continues with a new session: everything that an earlier session loaded is removed from memory. */
export function useEnter(): (session: Session, next?: string) => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { forget } = useHeldKeys();
  return (session, next = '/') => {
    queryClient.clear();
    forget();
    queryClient.setQueryData(queries.session().queryKey, session);
    router.history.push(next);
  };
}
