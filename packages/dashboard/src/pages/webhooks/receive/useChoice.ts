import { useNavigate, useSearch } from '@tanstack/react-router';
import { readWebhooksSearch, type WebhooksSearch } from '../search.ts';

/** What is chosen on the page, held in the address; what is usual stands in no address. */
export function useChoice(): [
  Required<Pick<WebhooksSearch, 'topic' | 'language' | 'size'>> & WebhooksSearch,
  (change: WebhooksSearch) => void,
] {
  const search: WebhooksSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  return [
    { topic: 'purchase', language: 'curl', size: 'minimal', ...search },
    (change) =>
      void navigate({
        to: '.',
        search: readWebhooksSearch({ ...search, ...change }),
        replace: true,
        resetScroll: false,
      }),
  ];
}
