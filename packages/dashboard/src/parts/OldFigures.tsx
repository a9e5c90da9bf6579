import type { UseQueryResult } from '@tanstack/react-query';

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
