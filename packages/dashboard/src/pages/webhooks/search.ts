/** The search parameters of the Webhooks page: the view and its choices. */
import { TOPICS, type Topic } from '@ghostlight/core/conversion';
import { useNavigate, useSearch } from '@tanstack/react-router';

const VIEWS = ['receive', 'shops', 'activity', 'settings'] as const;
export type WebhooksView = (typeof VIEWS)[number];

const LANGUAGES = ['curl', 'node', 'php', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The size of the example body: the minimum, or every field. */
export const SIZES = ['minimal', 'full'] as const;
export type Size = (typeof SIZES)[number];

export interface WebhooksSearch {
  view?: WebhooksView;
  topic?: Topic;
  language?: Language;
  size?: Size;
  /** The request whose details are open. */
  request?: string;
}

const MAX_ID = 64;

/** Reads untrusted search parameters; defaults are left out. */
export function readWebhooksSearch(search: Record<string, unknown>): WebhooksSearch {
  const request = search['request'];
  return Object.fromEntries(
    Object.entries({
      view: VIEWS.slice(1).find((name) => name === search['view']),
      topic: TOPICS.slice(1).find((name) => name === search['topic']),
      language: LANGUAGES.slice(1).find((name) => name === search['language']),
      size: SIZES.slice(1).find((name) => name === search['size']),
      request: typeof request === 'string' && request !== '' ? request.slice(0, MAX_ID) : undefined,
    }).filter(([, value]) => value !== undefined),
  );
}

/** The choices of the page, in its address; defaults are left out. */
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
