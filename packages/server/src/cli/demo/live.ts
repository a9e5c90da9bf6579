/**
 * Who comes while the demo runs: what is still to come of the day, by the same curves as the past, so that a day weighs no more than the
 * days before it. Additional visitors come in the first minutes, because a person is watching. The journal's old collector is none that
 * could be run here: the journal has no visitors.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompiledLists, ObservedHit } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { isCollector } from '../../sources/index.ts';
import { type Chance, createChance } from './history/chance.ts';
import { createDatedLists } from './history/dated-lists.ts';
import { daysUntil } from './history/days.ts';
import { DAYS } from './history/index.ts';
import { HELP } from './history/pages.ts';
import { SEED } from './history/past.ts';
import { hitsOfDay } from './history/traffic.ts';
import { VERSIONS } from './history/write-hits.ts';
import { HOST } from './shop.ts';

/** A request to the shop, as it reaches the edge. */
export interface Visit {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; empty for none. */
  readonly query: string;
  readonly user_agent: string;
  readonly referer: string;
  readonly ip: string;
  readonly asn: number;
  readonly country: string;
}

/** `at`: epoch milliseconds. */
export type Coming =
  | { readonly at: number; readonly via: 'edge'; readonly visit: Visit }
  /** A log push line without its time and its request id. */
  | { readonly at: number; readonly via: 'edge_logpush'; readonly line: Record<string, unknown> };

export interface Senders {
  visit(visit: Visit): Promise<void>;
  /** Takes a line of the log push job, which uploads now and then. */
  push(line: Record<string, unknown>): Promise<void>;
}

/** After the start: a lively half minute, and a while in which something moves whenever one looks. Together a twentieth of a day. */
const OPENING: readonly { readonly visits: number; readonly everyMs: number }[] = [
  { visits: 30, everyMs: 1_000 },
  { visits: 57, everyMs: 10_000 },
];
/** A machine that slept sends nothing of what it has missed. */
const LATE_MS = 60_000;

/** @throws AbortError when stopped; whatever a sender throws */
export async function sendVisitors({ visit, push }: Senders, stopped: AbortSignal): Promise<never> {
  const listsAt = createDatedLists();
  let from = Date.now();
  let coming = [...openingAt(from, listsAt(from)), ...restOfDay(from, listsAt(from))].sort(
    (a, b) => a.at - b.at,
  );
  for (;;) {
    for (const one of coming) {
      await sleep(Math.max(0, one.at - Date.now()), undefined, { signal: stopped });
      if (Date.now() - one.at > LATE_MS) continue;
      if (one.via === 'edge') await visit(one.visit);
      else await push(one.line);
    }
    from = Math.floor(from / DAY_MS + 1) * DAY_MS;
    await sleep(Math.max(0, from - Date.now()), undefined, { signal: stopped });
    coming = restOfDay(from, listsAt(from));
  }
}

/** All visitors of the day after a time, in the order of their times. */
export function restOfDay(now: number, lists: CompiledLists): Coming[] {
  return hitsAt(now, lists, 'everybody')
    .filter(({ at }) => at > now)
    .flatMap((hit) => comingOf(hit));
}

/** Some of each kind that is reported, in the order of their times. */
export function openingAt(now: number, lists: CompiledLists): Coming[] {
  const chance = chanceAt(now);
  const hits = hitsAt(now, lists, 'reported').filter((hit) => comingOf(hit).length > 0);
  const kinds = Map.groupBy(hits, kindOf);
  kinds.delete('person');
  // In turns, so that the rare ones come soon.
  const turns = [...kinds.values()];
  let at = now;
  return OPENING.flatMap(({ visits, everyMs }) => new Array<number>(visits).fill(everyMs)).flatMap(
    (everyMs, index) => {
      at += everyMs;
      return comingOf({ ...chance.pick(turns[index % turns.length] ?? hits), at });
    },
  );
}

const kindOf = (
  hit: ObservedHit,
): 'person' | 'referral' | 'line' | 'verified' | 'unpublished' | 'spoofed' => {
  if (hit.sampleRate !== null) return 'person';
  if (!isCollector(hit.source)) return 'line';
  if (hit.referrer !== '' || hit.query.size > 0) return 'referral';
  if (hit.edgeVerified === true) return 'verified';
  return hit.edgeUnchecked ? 'unpublished' : 'spoofed';
};

function hitsAt(now: number, lists: CompiledLists, whom: 'reported' | 'everybody'): ObservedHit[] {
  return daysUntil(now, DAYS)
    .slice(-1)
    .flatMap((day) => hitsOfDay(day, lists, VERSIONS, chanceAt(now), whom));
}

/** Each day's own, and other than any of the past's. */
const chanceAt = (now: number): Chance => createChance(SEED - Math.floor(now / DAY_MS));

/** Empty for visitors that the edge can't recognise as the past did: a signing agent has a secret key. */
function comingOf(hit: ObservedHit): Coming[] {
  const { at, host, method, path, ip, userAgent, referrer, asn, country } = hit;
  const query = new URLSearchParams([...hit.query]).toString();
  if (!isCollector(hit.source)) return host === HELP ? [{ at, via: 'edge_logpush', line: lineOf(hit) }] : [];
  if (host !== HOST || hit.signatureAgent !== '') return [];
  const visit = { method, path, query, user_agent: userAgent, referer: referrer, ip: ip ?? '', asn, country };
  return [{ at, via: 'edge', visit }];
}

const lineOf = ({ host, method, path, userAgent, ip, country, status, bytes }: ObservedHit) => ({
  ClientRequestHost: host,
  ClientRequestMethod: method,
  ClientRequestURI: path,
  ClientRequestUserAgent: userAgent,
  ClientRequestReferer: '',
  ClientIP: ip,
  ClientCountry: country.toLowerCase(),
  EdgeResponseStatus: status,
  EdgeResponseBytes: bytes,
});
