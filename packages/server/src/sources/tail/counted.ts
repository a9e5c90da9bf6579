/** What a program on the server says of all other requests: how many there were, and nothing else. */
import {
  COUNTED_KINDS,
  COUNTED_MS,
  type CountedKind,
  crawlerAgent,
  FIELD_LIMITS,
  isObject,
  MAX_PROGRAMS,
  type ProgramCount,
} from '@ghostlight/core';
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
    programs: programsOf(value['programs'], numbers),
    id,
    loggedShare,
  };
  return { drop: 'not_a_visit', counted };
}

/** Names are an extra of the numbers: what can't be one, or is of more requests than there were, is left out. */
function programsOf(
  value: unknown,
  { bot_pages: pages = 0, bot_files: files = 0 }: Readonly<Record<string, number>>,
): Map<string, ProgramCount> {
  const programs = new Map<string, ProgramCount>();
  if (!isObject(value)) return programs;
  const left = [pages, files];
  for (const [name, counts] of Object.entries(value).slice(0, MAX_PROGRAMS)) {
    const agent = crawlerAgent(name);
    if (agent === '' || !Array.isArray(counts)) continue;
    const [ownPages, ownFiles] = [counts[0], counts[1]].map((count) =>
      Number.isSafeInteger(count) && count >= 0 ? (count as number) : Number.POSITIVE_INFINITY,
    ) as ProgramCount;
    if (ownPages > (left[0] ?? 0) || ownFiles > (left[1] ?? 0)) continue;
    left[0] = (left[0] ?? 0) - ownPages;
    left[1] = (left[1] ?? 0) - ownFiles;
    const [morePages, moreFiles] = programs.get(agent) ?? [0, 0];
    programs.set(agent, [morePages + ownPages, moreFiles + ownFiles]);
  }
  return programs;
}
