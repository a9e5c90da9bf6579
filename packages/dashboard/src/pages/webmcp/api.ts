/** The calls of the WebMCP page: apart from the others, so that the first view does not carry them. */
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call, get } from '../../api/client.ts';
import { readDeclaration } from './model/declaration.ts';
import type {
  CheckAnswer,
  Declaration,
  Fetches,
  HistoryEntry,
  HostStatus,
  Tool,
  TryAnswer,
  WebmcpState,
} from './types.ts';

const TURN_MS = 5_000;
const MAX_TURNS = 3;
const MINUTE_MS = 60_000;
/** Versions on one page of the history. */
export const HISTORY_PAGE = 50;
/** How far back fetches are counted. */
export const FETCH_DAYS = 30;
/** A browser sends at most 64 KiB of a body after its page is gone. */
const KEEPALIVE_BYTES = 60_000;

/** A session's POST without a JSON body is refused: a form of another site could make one. */
const NOTHING = {};

export const webmcpApi = {
  state: (id: string, signal?: AbortSignal) => get<WebmcpState>(path(id), signal),
  /** @param version the publication that the edit began with, null for none: another one in between is refused with 409 */
  publish: (id: string, declaration: Declaration, version: number | null) =>
    call<WebmcpState>('PUT', path(id), { ...declaration, version: version ?? 0 }),
  unpublish: (id: string) => call<unknown>('DELETE', path(id)),
  rotate: (id: string) => call<WebmcpState>('POST', `${path(id)}/rotate-keys`, NOTHING),
  saveDraft: (id: string, declaration: Declaration, leaving = false) =>
    call<unknown>('PUT', `${path(id)}/draft`, declaration, {
      keepalive: leaving && JSON.stringify(declaration).length < KEEPALIVE_BYTES,
    }),
  discardDraft: (id: string) => call<unknown>('DELETE', `${path(id)}/draft`),
  check: (id: string, declaration: Declaration, signal?: AbortSignal) =>
    call<CheckAnswer>('POST', `${path(id)}/check`, declaration, { signal }),
  tryOut: (id: string, tool: Tool, args: unknown) =>
    call<TryAnswer>('POST', `${path(id)}/try`, { tool, arguments: args }),
  status: async (id: string, signal?: AbortSignal) =>
    (await call<{ items: HostStatus[] }>('POST', `${path(id)}/status`, NOTHING, { signal })).items,
  versions: async (id: string, before: number | null, signal?: AbortSignal) =>
    (
      await get<{ items: HistoryEntry[] }>(
        `${path(id)}/versions${before === null ? '' : `?before=${before}`}`,
        signal,
      )
    ).items,
  version: (id: string, version: number, signal?: AbortSignal) =>
    get<Declaration>(`${path(id)}/versions/${version}`, signal),
  fetches: (id: string, signal?: AbortSignal) =>
    get<Fetches>(`${path(id)}/fetches?days=${FETCH_DAYS}`, signal),
};

export const webmcpQueries = {
  state: (id: string) =>
    queryOptions({ queryKey: ['webmcp', id], queryFn: ({ signal }) => webmcpApi.state(id, signal) }),
  /** Asks every host over the network: not more often than a person looks. */
  status: (id: string) =>
    queryOptions({
      queryKey: ['webmcp-status', id],
      queryFn: ({ signal }) => webmcpApi.status(id, signal),
      staleTime: MINUTE_MS,
      refetchOnWindowFocus: false,
      // One look at a time is enough for a host: a second page waits its turn instead of failing.
      retry: (failures, error) => failures < MAX_TURNS && error instanceof ApiError && error.status === 429,
      retryDelay: TURN_MS,
    }),
  fetches: (id: string) =>
    queryOptions({
      queryKey: ['webmcp-fetches', id],
      queryFn: ({ signal }) => webmcpApi.fetches(id, signal),
      staleTime: MINUTE_MS,
    }),
  /** A version never changes. */
  version: (id: string, version: number) =>
    queryOptions({
      queryKey: ['webmcp-version', id, version],
      queryFn: async ({ signal }) => readDeclaration(await webmcpApi.version(id, version, signal)),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  versionsKey: (id: string) => ['webmcp-versions', id] as const,
};

function path(id: string): string {
  return `/api/v1/properties/${encodeURIComponent(id)}/webmcp`;
}
