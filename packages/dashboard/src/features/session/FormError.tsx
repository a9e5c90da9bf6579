import { ApiError } from '../../api/client.ts';
import { ErrorState } from '../../parts/ErrorState.tsx';

/** What went wrong with a form as a whole; what is wrong with a field stands at the field. */
export function FormError({ error }: { error: unknown }) {
  if (error === null || (error instanceof ApiError && error.fields.length > 0)) return null;
  return <ErrorState error={error} />;
}
