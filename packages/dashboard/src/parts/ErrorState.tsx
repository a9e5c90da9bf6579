import { ApiError } from '../api/client.ts';
import { IconWarning } from './icons.tsx';

interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
}

export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const sentence =
    error instanceof ApiError
      ? [error.message, ...error.fields.map(({ message }) => message)].join(' ')
      : 'Something in this page failed. Reloading it usually helps.';
  return (
    <div className="notice notice-bad" role="alert">
      <IconWarning />
      <p>{sentence}</p>
      {onRetry !== undefined && (
        <button type="button" className="button button-small" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
