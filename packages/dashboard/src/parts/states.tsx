import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { IconWarning } from './icons.tsx';
import { Logo } from './Logo.tsx';

/** Says what would stand here and what to do to get it. */
export function EmptyState({
  title,
  children,
  action,
  heading: Heading = 'h2',
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** `h1` where nothing else is on the page. */
  heading?: 'h1' | 'h2';
}) {
  return (
    <div className="empty">
      <Logo size={44} />
      <Heading>{title}</Heading>
      <p>{children}</p>
      {action !== undefined && <div className="empty-action">{action}</div>}
    </div>
  );
}

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

/** What went wrong with a form as a whole; what is wrong with a field stands at the field. */
export function FormError({ error }: { error: unknown }) {
  if (error === null || (error instanceof ApiError && error.fields.length > 0)) return null;
  return <ErrorState error={error} />;
}

/** Grey lines in the shape of what is coming. */
export function Skeleton({ lines = 3, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no identity
        <span key={index} />
      ))}
    </div>
  );
}

/** What was chosen has not come, and what stands below is of before: under a new period's name it must not pass for its figures. */
export function OldFigures({
  of: { isPlaceholderData, failureReason },
}: {
  of: Pick<UseQueryResult, 'isPlaceholderData' | 'failureReason'>;
}) {
  if (!isPlaceholderData || failureReason === null) return null;
  return (
    <p className="notice notice-bad" role="alert">
      These are the figures of before: the chosen ones have not come yet. {failureReason.message}
    </p>
  );
}
