import { useMutation } from '@tanstack/react-query';
import { ApiError, api } from '../../api/client.ts';
import type { SignIn } from '../../api/types.ts';
import { useEnter } from '../../features/session/useSession.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { IconWarning } from '../../parts/icons.tsx';

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

/** Whether the service refused what was typed: then the error is shown at the field. */
export function isWrong(error: Error): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 422);
}

/** One sentence, and what to do next where the service itself can't know it. */
function sentenceOf(error: Error): string {
  if (!(error instanceof ApiError)) return 'Something in this page failed. Reloading it usually helps.';
  if (error.status === 0)
    return 'The service could not be reached. It may be restarting: sign in again in a moment.';
  if (error.status === 429) return `${error.message} What you typed now was not tried.`;
  if (error.status >= 500)
    return `${error.message} What you typed was not judged: sign in again in a moment. If this stays, whoever runs the service finds the cause in its log.`;
  return error.message;
}

/** What keeps somebody out whose password may well be right: it is not said at the field, which would call it wrong. */
export function SignInError({ error }: { error: Error | null }) {
  if (error === null || isWrong(error)) return null;
  return (
    <div className="notice notice-bad">
      <IconWarning />
      <p>{sentenceOf(error)}</p>
    </div>
  );
}
