import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { queries } from '../../api/queries.ts';
import type { Session } from '../../api/types.ts';
import { useHeldKeys } from '../keys/HeldKeys.tsx';

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
