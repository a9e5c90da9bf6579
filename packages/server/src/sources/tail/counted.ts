/** What a program on the server says of all other requests: how many there were, and nothing else. */
import { COUNTED_KINDS, COUNTED_MS, type CountedKind, FIELD_LIMITS, isObject } from '@ghostlight/core';
import { MINUTE_MS } from '@ghostlight/core/time';
import { hostOf, numberOf, optionalText, Unusable } from '../fields/coerce.ts';
import type { Observing } from '../fields/observe.ts';
import { instantFault, parseInstant } from '../fields/timestamps.ts';
import type { Rejection } from '../reasons.ts';
import type { CountedRequests, Passed } from '../source.ts';

/** Of one host and hour, of which no program counts more. */
const MAX_REQUESTS = 1_000_000_000;
const MAX_ID = 64;

/**
 * `{"hour": 1767225600000, "minutes": 15, "host": "shop.example", "people_pages": 12, …}`: `minutes` is 15 or, by default, 60.
 * @param value the member `counted` of a line
 */
export function countedOf(
  value: unknown,
  {
    now,
    maxAgeMs,
    host: fallback = '',
    loggedShare = null,
  }: Pick<Observing, 'now' | 'host' | 'loggedShare'> & {
    readonly maxAgeMs?: number | undefined;
  },
): Passed | Rejection {
  const refuse = (reason: Rejection['reason'], member: string): Rejection => ({
    reason,
    field: `counted.${member}`,
  });
  if (!isObject(value)) return { reason: 'wrong_type', field: 'counted' };
  const began = parseInstant(value['hour']);
  if (began === null) return refuse('not_a_time', 'hour');
  const fault = instantFault(began, now, maxAgeMs);
  // Visits of that time are rejected by name; numbers beside them tell nothing more.
  if (fault === 'too_old') return { drop: 'not_a_visit' };
  if (fault !== null) return refuse(fault, 'hour');
  const minutes = value['minutes'] ?? 60;
  if (minutes !== 15 && minutes !== 60) return refuse('out_of_range', 'minutes');
  const length = minutes * MINUTE_MS;
  const host = optionalText(value['host'], FIELD_LIMITS.host);
  if (host instanceof Unusable) return refuse(host.reason, 'host');
  const id = optionalText(value['id'], MAX_ID);
  if (id instanceof Unusable) return refuse(id.reason, 'id');
  const numbers: Record<string, number> = {};
  for (const kind of COUNTED_KINDS) {
    const number = numberOf(value[kind] ?? 0);
    if (typeof number !== 'number') return refuse('wrong_type', kind);
    if (!Number.isSafeInteger(number) || number < 0 || number > MAX_REQUESTS)
      return refuse('out_of_range', kind);
    numbers[kind] = number;
  }
  const counted: CountedRequests = {
    ...(numbers as Pick<CountedRequests, CountedKind>),
    at: Math.floor(began / length) * length,
    quarters: length === COUNTED_MS ? 1 : 4,
    host: hostOf(host === '' ? fallback : host, FIELD_LIMITS.host),
    id,
    loggedShare,
  };
  return { drop: 'not_a_visit', counted };
}
