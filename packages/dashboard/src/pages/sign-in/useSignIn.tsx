import { useMutation } from '@tanstack/react-query';
import { ApiError, api } from '../../api/client.ts';
import type { SignIn } from '../../api/types.ts';
import { useEnter } from '../../features/session/useSession.ts';
import { useAnnounce } from '../../parts/Announcer.tsx';
import { IconWarning } from '../../parts/icons.tsx';

/** @param next the path to open afterwards; on this site */
export function useSignIn(next: string | undefined) {
  const enter = useEnter();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: (credentials: SignIn) => api.signIn(credentials),
    onSuccess: (session) => enter(session, next),
    // Moves the focus from the button to the message at the field.
    onError: (error) => announce(isWrong(error) ? error.message : sentenceOf(error)),
  });
}

/** Whether the service refused what was typed: then the error is shown at the field. */
export function isWrong(error: Error): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 422);
}

/** The error as text, with what to do next. */
function sentenceOf(error: Error): string {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it to try again.';
  if (error.status === 0)
    return 'The service could not be reached. It may be restarting: sign in again in a moment.';
  if (error.status === 429) return `${error.message} This attempt was not checked.`;
  if (error.status >= 500)
    return `${error.message} Your password was not checked: try again in a moment. If this persists, the operator can find the cause in the service’s log.`;
  return error.message;
}

/** An error that does not mean a wrong password: it is not shown at the field. */
export function SignInError({ error }: { error: Error | null }) {
  if (error === null || isWrong(error)) return null;
  return (
    <div className="notice notice-bad">
      <IconWarning />
      <p>{sentenceOf(error)}</p>
    </div>
  );
}
