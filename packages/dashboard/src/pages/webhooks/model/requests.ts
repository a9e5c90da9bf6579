/** The requests that the filters of recent activity leave. The service filters by outcome, because it keeps 20 of each. */
import type { ActivityItem } from '../../../features/webhooks/api.ts';
import type { WebhooksSearch } from '../search.ts';

type Filters = { readonly [Name in 'matched' | 'q']?: WebhooksSearch[Name] | undefined };

/** @param q a part of the conversion id, in any letter case */
export function chosenRequests(
  items: readonly ActivityItem[],
  { matched, q = '' }: Filters,
): readonly ActivityItem[] {
  const part = q.trim().toLowerCase();
  return items.filter(
    (item) =>
      (matched === undefined ||
        (item.status === 'success' && item.session_matched === (matched === 'yes'))) &&
      (part === '' || (item.conversion_id ?? '').toLowerCase().includes(part)),
  );
}
