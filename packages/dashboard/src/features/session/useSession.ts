import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { queries } from '../../api/queries.ts';
import type { Session } from '../../api/types.ts';
import { useHeldKeys } from '../keys/HeldKeys.tsx';
import { may, type Permission } from './may.ts';

/** Who is signed in. Used below the routes that have seen to it that somebody is. */
export function useSession(): Session {
  return useSuspenseQuery(queries.session()).data;
}

export function useMay(permission: Permission): boolean {
  return may(useSession(), permission);
}

/** Goes on as somebody (else): nothing stays in memory that an earlier session was shown. */
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
