/** The whole internet of a test: hosts that answer as configured, and the requests they received. */
import { until } from './until.ts';

export interface RecordedRequest {
  readonly host: string;
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A site. Answers `undefined`: the connection is cut (bare runtime) or the host can't be reached (miniflare: 502). */
export type Site = (request: RecordedRequest) => Response | undefined | Promise<Response | undefined>;

export interface Internet {
  /** Puts a site in place, or another in its place. */
  on(host: string, site: Site): void;
  /** What a host was asked, in order of arrival. */
  requestsTo(host: string): RecordedRequest[];
  /** The JSON bodies that the service was posted, each array's elements flattened. */
  hits(host?: string): Record<string, unknown>[];
  /** Waits until a host was asked `count` times. @throws after 15 s */
  asked(host: string, count: number): Promise<RecordedRequest[]>;
  answer(request: RecordedRequest): Promise<Response | undefined>;
}

/** Where the tests' service lives: ingest, lists and manifests. */
export const SERVICE_HOST = 'service.ghostlight.example';
/** The visited site. */
export const SITE_HOST = 'shop.example';

/** A fresh internet with an origin that says hello, and a service that takes every hit and has no lists. */
export function createInternet(): Internet {
  const sites = new Map<string, Site>();
  const requests: RecordedRequest[] = [];
  const requestsTo = (host: string): RecordedRequest[] => requests.filter((request) => request.host === host);
  sites.set(SITE_HOST, () => new Response('hello', { headers: { 'content-type': 'text/plain' } }));
  sites.set(SERVICE_HOST, ({ method }) =>
    method === 'POST' ? new Response(null, { status: 204 }) : new Response('nothing here', { status: 404 }),
  );
  return {
    on: (host, site) => void sites.set(host, site),
    requestsTo,
    hits: (host = SERVICE_HOST) =>
      requestsTo(host)
        .filter(({ method }) => method === 'POST')
        .flatMap(({ body }) => JSON.parse(body)),
    asked: (host, count) =>
      until(`${host} is asked ${count} times`, () => {
        const found = requestsTo(host);
        return found.length >= count && found;
      }),
    answer: async (request) => {
      requests.push(request);
      const site = sites.get(request.host);
      return site === undefined ? undefined : await site(request);
    },
  };
}
