/** A request as its source may read it. */
import type { IncomingMessage } from 'node:http';
import type { Settings, SourceRequest } from '../sources/index.ts';
import { DEFAULT_LIMITS } from './ports.ts';

const NONE: Settings = {};

/** @param query the part of the URL after `?`, undecoded @param settings of the key, once it is known */
export function sourceRequest(
  request: IncomingMessage,
  query: string,
  now: number,
  settings: Settings = NONE,
  retentionMs = DEFAULT_LIMITS.retentionMs,
): SourceRequest {
  let parameters: URLSearchParams | null = null;
  return {
    get parameters() {
      parameters ??= new URLSearchParams(query);
      return parameters;
    },
    header: (name) => headerOf(request, name),
    settings,
    now,
    retentionMs,
  };
}

/** One that came several times is joined, as Node joins most of them. @param name in lower case */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
