import { IconWarning } from '../../parts/icons.tsx';
import { isWrong, sentenceOf } from './sign-in-errors.ts';

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
