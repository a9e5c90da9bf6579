/** Why a sign-in failed, in words: whether what was typed is wrong, or something else is in the way. */
import { ApiError } from '../../api/client.ts';

/** The service answered, and what was typed is wrong: that is said at the field. */
export function isWrong(error: Error): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 422);
}

/** One sentence, and what to do next where the service itself can't know it. */
export function sentenceOf(error: Error): string {
  if (!(error instanceof ApiError)) return 'Something in this page failed. Reloading it usually helps.';
  if (error.status === 0)
    return 'The service could not be reached. It may be restarting: sign in again in a moment.';
  if (error.status === 429) return `${error.message} What you typed now was not tried.`;
  if (error.status >= 500)
    return `${error.message} What you typed was not judged: sign in again in a moment. If this stays, whoever runs the service finds the cause in its log.`;
  return error.message;
}
