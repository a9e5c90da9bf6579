/** Reads what the event stream sends: one row, a list of rows, or an object that holds the list. Anything else is no row. */
import type { LiveItem } from '../../api/types.ts';

export function readStreamData(data: string): LiveItem[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch {
    return [];
  }
  const listed = Array.isArray(parsed)
    ? parsed
    : isObject(parsed) && Array.isArray(parsed['items'])
      ? parsed['items']
      : [parsed];
  return listed.filter(isLiveItem);
}

function isLiveItem(value: unknown): value is LiveItem {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['class'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
