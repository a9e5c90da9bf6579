import type { UseQueryResult } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { ApiError, UNREACHABLE } from '../api/client.ts';
import { IconWarning } from './icons.tsx';
import { Logo } from './Logo.tsx';

/** The icon of the open page, which is at the head of its empty states. null: of none, so they have the mark of the product. */
export const EmptyMark = createContext<ReactNode>(null);

/** An empty state: what will be here, and how to get it. */
export function EmptyState({
  title,
  children,
  action,
  heading: Heading = 'h2',
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  /** `h1` when the page has nothing else. */
  heading?: 'h1' | 'h2';
}) {
  const mark = useContext(EmptyMark);
  return (
    <div className="empty">
      {mark === null ? <Logo size={44} /> : <span className="empty-mark">{mark}</span>}
      <Heading>{title}</Heading>
      <p>{children}</p>
      {action !== undefined && <div className="empty-action">{action}</div>}
    </div>
  );
}

/** Whether a banner says that the service can’t be reached: what is below it only says what it lacks. */
export const BannerContext = createContext(false);

interface ErrorStateProps {
  error: unknown;
  onRetry?: () => void;
}

export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const hasBanner = useContext(BannerContext);
  // The whole page waits for the service: this only keeps the place.
  if (isUnreachable(error))
    return hasBanner ? (
      <NotLoaded />
    ) : (
      <p className="notice notice-waiting" role="status">
        {error.message}
      </p>
    );
  const sentence =
    error instanceof ApiError
      ? sentenceOf(error)
      : 'Something went wrong on this page. Reload it to try again.';
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

/** Instead of what a service that is unreachable has not answered yet. */
export function NotLoaded() {
  return <p className="quiet not-loaded">Not loaded yet. It appears when the service is back.</p>;
}

/** What is wrong with each field, unless the first sentence says it already. */
function sentenceOf({ message, fields }: ApiError): string {
  const said = message.toLowerCase();
  const more = fields.map((field) => field.message).filter((text) => !said.includes(text.toLowerCase()));
  return [message, ...new Set(more)].join(' ');
}

function isUnreachable(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === UNREACHABLE;
}

/** Whether to say that a query failed: not where its earlier answer stays, and the banner says that the service is unreachable. */
export function failed({ error, data }: Pick<UseQueryResult, 'error' | 'data'>): boolean {
  return error !== null && !(data !== undefined && isUnreachable(error));
}

/** An error of a form as a whole; errors of fields are shown at the fields. */
export function FormError({ error }: { error: unknown }) {
  if (error === null || (error instanceof ApiError && error.fields.length > 0)) return null;
  return <ErrorState error={error} />;
}

/** Grey placeholder lines while content loads. */
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

/**
 * A query without the answer of the previous choice, once the new one could not be loaded: old figures never get a new period's name.
 */
export function ofThisChoice<
  Result extends Pick<UseQueryResult, 'isPlaceholderData' | 'failureReason' | 'isPending' | 'error' | 'data'>,
>(query: Result): Result {
  const { isPlaceholderData, failureReason } = query;
  if (!isPlaceholderData || failureReason === null) return query;
  return { ...query, data: undefined, isPending: false, isPlaceholderData: false, error: failureReason };
}
