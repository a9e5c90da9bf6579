/** What platforms answer, read without trust: any shape may come, and platforms like to quote what was wrong with a value. */
import { isObject, maskFound } from '@ghostlight/core';
import type { HttpResponse, Verdict } from './port.ts';

export type JsonAnswer = Readonly<Record<string, unknown>>;

/** @returns the body as a JSON object; null for anything else */
export function jsonOf(response: Pick<HttpResponse, 'body'>): JsonAnswer | null {
  try {
    return objectOf(JSON.parse(response.body));
  } catch {
    return null;
  }
}

/** The member of an answer, whatever it is. */
export const objectOf = (value: unknown): JsonAnswer | null =>
  isObject(value) ? (value as JsonAnswer) : null;
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
export const integerOf = (value: unknown): number | null =>
  Number.isSafeInteger(value) ? Number(value) : null;

const MAX_MESSAGE = 300;
const DIGEST_OR_TOKEN = /[A-Za-z0-9_~+/=-]{32,}/g;
const IPV4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g;
/** With `::` or with more colons than a time of day. */
const IPV6 = /\b[0-9a-f]*:(?=[0-9a-f.]*:)[0-9a-f:.]+|::[0-9a-f:.]+/gi;
const isAddress = (text: string): boolean => text.includes('::') || text.split(':').length > 4;

/**
 * A platform's sentence as it may be stored and shown: one line, cut, without email addresses, telephone numbers, network addresses,
 * digests and tokens.
 *
 * @param otherwise what to say where the platform says nothing
 */
export function presentable(words: unknown, otherwise: string): string {
  const text = (textOf(words) ?? otherwise).slice(0, 8 * MAX_MESSAGE).toWellFormed();
  const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  const bare = maskFound(line)
    .replace(DIGEST_OR_TOKEN, (found) => `${found.slice(0, 6)}…`)
    .replace(IPV6, (found) => (isAddress(found) ? '***' : found))
    .replace(IPV4, '***');
  return bare.length > MAX_MESSAGE ? `${bare.slice(0, MAX_MESSAGE - 1).toWellFormed()}…` : bare || otherwise;
}

const WORD = /^(?:\d{1,10}(?:\/\d{1,10})?|[A-Za-z][A-Za-z0-9_./-]{0,63})$/;

/** A platform's code, where it is one: a word or a number. Anything else may be personal data. */
export function codeOf(code: unknown, otherwise: string): string {
  const text = typeof code === 'number' ? String(code) : (textOf(code) ?? otherwise);
  return WORD.test(text) && !/[0-9a-f]{32}/.test(text) ? text : otherwise;
}

/** The same verdict for every event of the request. */
export const forAll = (events: readonly unknown[], verdict: Verdict): readonly Verdict[] =>
  events.map(() => verdict);

/** A bad event in a batch that is not named: the executor halves; alone it is refused. */
export function badEvent(events: readonly unknown[], code: string, message: string): Verdict {
  return { kind: events.length > 1 ? 'bisect' : 'refused', code, message };
}

/**
 * What a status says by itself, where the platform's body says nothing better. 401 and 403 are the credential's, 404 and 410 the
 * configured address's, 426 the version's; 408, 425, 429 and 5xx pass; any other 4xx is the event's fault.
 *
 * @param words the platform's own, where there are any
 */
export function verdictOfStatus(
  response: HttpResponse,
  events: readonly unknown[],
  words: { readonly code?: unknown; readonly message?: unknown } = {},
): Verdict {
  const { status } = response;
  const code = codeOf(words.code, `http_${status}`);
  const message = presentable(words.message, `The platform answered with status ${status}.`);
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 401 || status === 403) return { kind: 'auth', code, message };
  if (status === 404 || status === 410 || status === 426) return { kind: 'config', code, message };
  if (status === 429) return { kind: 'throttled', code, message, scope: 'minute' };
  if (status >= 500 || status === 408 || status === 425) return { kind: 'retry', code, message };
  if (status >= 400) return badEvent(events, code, message);
  return { kind: 'config', code, message };
}

/** A yes that names nothing, or the page of a proxy: nothing is known to be taken, and duplicates are recognised. */
export const noVerdict = (platform: string): Verdict => ({
  kind: 'retry',
  code: 'no_verdict',
  message: `${platform} answered without the outcome of the events.`,
});

/** For the good events of a request that was refused whole: nothing is wrong with them, so they need not wait. */
export const batchRefused = (platform: string): Verdict => ({
  kind: 'retry',
  code: 'batch_refused',
  message: `${platform} rejected the whole request because of other events in it.`,
  afterMs: 0,
});
