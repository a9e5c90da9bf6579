/** A request as its source may read it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Settings, SourceRequest } from '../sources/index.ts';
import { DEFAULT_LIMITS } from './ports.ts';

const NONE: Settings = {};

/** What a source may read of a request, as plain data, which may travel between threads. */
export interface RequestFacts {
  readonly headers: IncomingHttpHeaders;
  /** The part of the URL after `?`, undecoded. */
  readonly query: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Of the key, once it is known. */
  readonly settings: Settings;
  readonly retentionMs: number;
}

/** @param query the part of the URL after `?`, undecoded @param settings of the key, once it is known */
export function sourceRequest(
  { headers }: IncomingMessage,
  query: string,
  now: number,
  settings: Settings = NONE,
): SourceRequest {
  return requestOf({ headers, query, now, settings, retentionMs: DEFAULT_LIMITS.retentionMs });
}

export const requestOf = (facts: RequestFacts): SourceRequest => new RequestOfFacts(facts);

/** Each post makes one, and few read anything of it. */
class RequestOfFacts implements SourceRequest {
  readonly #query: string;
  #parameters: URLSearchParams | null = null;
  readonly settings: Settings;
  readonly now: number;
  readonly retentionMs: number;
  readonly header: (name: string) => string | undefined;

  constructor({ headers, query, settings, now, retentionMs }: RequestFacts) {
    this.#query = query;
    this.settings = settings;
    this.now = now;
    this.retentionMs = retentionMs;
    this.header = (name) => headerOf({ headers }, name);
  }

  get parameters(): URLSearchParams {
    this.#parameters ??= new URLSearchParams(this.#query);
    return this.#parameters;
  }
}

/** One that came several times is joined, as Node joins most of them. @param name in lower case */
export function headerOf({ headers }: Pick<IncomingMessage, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
