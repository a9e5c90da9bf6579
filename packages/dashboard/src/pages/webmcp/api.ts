/** The calls of the WebMCP page. In a file of their own, so that the first view does not load them. */
import { MINUTE_MS } from '@ghostlight/core/time';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call, get } from '../../api/client.ts';
import { readDeclaration } from './model/declaration.ts';
import type { Declaration, Tool } from './types.ts';

const TURN_MS = 5_000;
const MAX_TURNS = 3;
/** Versions on one page of the history. */
export const HISTORY_PAGE = 50;
/** How far back fetches are counted. */
export const FETCH_DAYS = 30;
/** A browser sends at most 64 KiB of a body after its page is gone. */
const KEEPALIVE_BYTES = 60_000;

const WEBMCP = '/api/v1/properties/{id}/webmcp';

export const webmcpApi = {
  state: (id: string, signal?: AbortSignal) => get(WEBMCP, { params: { id }, signal }),
  /** @param version the publication that the edit is based on, null for none: a newer one is refused with 409 */
  publish: (id: string, declaration: Declaration, version: number | null) =>
    call('PUT', WEBMCP, { params: { id }, body: { ...declaration, version: version ?? 0 } }),
  unpublish: (id: string) => call('DELETE', WEBMCP, { params: { id } }),
  rotate: (id: string) => call('POST', `${WEBMCP}/rotate-keys`, { params: { id } }),
  saveDraft: (id: string, declaration: Declaration, leaving = false) =>
    call('PUT', `${WEBMCP}/draft`, {
      params: { id },
      body: declaration,
      keepalive: leaving && JSON.stringify(declaration).length < KEEPALIVE_BYTES,
    }),
  discardDraft: (id: string) => call('DELETE', `${WEBMCP}/draft`, { params: { id } }),
  check: (id: string, declaration: Declaration, signal?: AbortSignal) =>
    call('POST', `${WEBMCP}/check`, { params: { id }, body: declaration, signal }),
  tryOut: (id: string, tool: Tool, args: unknown) =>
    call('POST', `${WEBMCP}/try`, { params: { id }, body: { tool, arguments: args } }),
  status: async (id: string, signal?: AbortSignal) =>
    (await call('POST', `${WEBMCP}/status`, { params: { id }, signal })).items,
  versions: async (id: string, before: number | null, signal?: AbortSignal) =>
    (await get(`${WEBMCP}/versions`, { params: { id }, query: { before: before ?? undefined }, signal }))
      .items,
  version: (id: string, version: number, signal?: AbortSignal) =>
    get(`${WEBMCP}/versions/{version}`, { params: { id, version: String(version) }, signal }),
  fetches: (id: string, signal?: AbortSignal) =>
    get(`${WEBMCP}/fetches`, { params: { id }, query: { days: FETCH_DAYS }, signal }),
};

export const webmcpQueries = {
  state: (id: string) =>
    queryOptions({ queryKey: ['webmcp', id], queryFn: ({ signal }) => webmcpApi.state(id, signal) }),
  /** The service checks every host over the network, so this is not refreshed automatically. */
  status: (id: string) =>
    queryOptions({
      queryKey: ['webmcp-status', id],
      queryFn: ({ signal }) => webmcpApi.status(id, signal),
      staleTime: MINUTE_MS,
      refetchOnWindowFocus: false,
      // The service checks a host once at a time: a second page retries instead of failing.
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
