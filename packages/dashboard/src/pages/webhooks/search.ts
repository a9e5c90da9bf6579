/** The search parameters of the Webhooks page: the view and its choices. */
import { TOPICS, type Topic } from '@ghostlight/core/conversion';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { RequestStatus } from '../../features/webhooks/api.ts';

const VIEWS = ['receive', 'shops', 'activity', 'settings'] as const;
export type WebhooksView = (typeof VIEWS)[number];

const LANGUAGES = ['curl', 'node', 'php', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The size of the example body: the minimum, or every field. */
export const SIZES = ['minimal', 'full'] as const;
export type Size = (typeof SIZES)[number];

/** Of recent activity: the outcomes to filter by. */
export const STATUSES = [
  'success',
  'auth_error',
  'validation_error',
  'rate_limited',
] as const satisfies readonly RequestStatus[];

/** Whether a request was matched to a visit. */
export const MATCHES = ['yes', 'no'] as const;

export interface WebhooksSearch {
  view?: WebhooksView;
  topic?: Topic;
  language?: Language;
  size?: Size;
  /** Filters of recent activity: the outcome, the match, and a part of the conversion id. */
  status?: RequestStatus;
  matched?: (typeof MATCHES)[number];
  q?: string;
  /** The request whose details are open. */
  request?: string;
}

const MAX_ID = 64;
const MAX_QUERY = 255;

/** Reads untrusted search parameters; defaults are left out. */
export function readWebhooksSearch(search: Record<string, unknown>): WebhooksSearch {
  const [q, request] = [search['q'], search['request']];
  return Object.fromEntries(
    Object.entries({
      view: VIEWS.slice(1).find((name) => name === search['view']),
      topic: TOPICS.slice(1).find((name) => name === search['topic']),
      language: LANGUAGES.slice(1).find((name) => name === search['language']),
      size: SIZES.slice(1).find((name) => name === search['size']),
      status: STATUSES.find((name) => name === search['status']),
      matched: MATCHES.find((name) => name === search['matched']),
      q: typeof q === 'string' && q !== '' ? q.slice(0, MAX_QUERY) : undefined,
      request: typeof request === 'string' && request !== '' ? request.slice(0, MAX_ID) : undefined,
    }).filter(([, value]) => value !== undefined),
  );
}

/** A change of the parameters; `undefined` removes one. */
export type WebhooksChange = { [Name in keyof WebhooksSearch]?: WebhooksSearch[Name] | undefined };

/** The choices of the page, in its address; defaults are left out. */
export function useChoice(): [
  Required<Pick<WebhooksSearch, 'topic' | 'language' | 'size'>> & WebhooksSearch,
  (change: WebhooksChange) => void,
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
