/** What every platform's `map` and `build` need: JSON without holes, text within limits, a POST of JSON. */
import type { JsonObject, JsonValue } from '@ghostlight/core';
import type { HttpRequest } from './port.ts';

/** The members that say something: without null, undefined, empty lists and empty objects. */
export function compact(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, JsonValue] => saysSomething(member[1])),
  );
}

function saysSomething(value: JsonValue | undefined): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** @returns a list of the one value, as platforms take identifiers; empty for null */
export const listed = (value: string | null): readonly string[] => (value === null ? [] : [value]);

/** At most that many UTF-16 units, not ending in half a character. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** @param url already escaped: ids in a path go through `encodeURIComponent`, those of a query through `URLSearchParams` */
export function postJson(
  url: string,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): HttpRequest {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** Epoch ms → whole seconds. */
export const seconds = (epochMs: number): number => Math.floor(epochMs / 1000);
