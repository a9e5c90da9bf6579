import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { SignIn } from '../../api/types.ts';
import { useEnter } from '../../features/session/useSession.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { isWrong, sentenceOf } from './sign-in-errors.ts';

/** @param next where to go on; a path of ours */
export function useSignIn(next: string | undefined) {
  const enter = useEnter();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (credentials: SignIn) => api.signIn(credentials),
    onSuccess: (session) => enter(session, next),
    // The focus stays at the button, away from the sentence at the field.
    onError: (error) => announce(isWrong(error) ? error.message : sentenceOf(error)),
  });
}
