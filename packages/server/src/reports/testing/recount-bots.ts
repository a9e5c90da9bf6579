/** Bots, and the pages that they read. See `recount.ts`. */
import type { StoredHit } from '@ghostlight/core';
import {
  change,
  compared,
  comparedWith,
  compares,
  dayOf,
  days,
  distinct,
  estimates,
  figures,
  grouped,
  hitsByIntent,
  intents,
  type Kind,
  moment,
  ofKind,
  pageOf,
  type Recounted,
  ratio,
  readCounts,
  readOf,
  rowKind,
  select,
  sum,
  total,
} from './recount-hits.ts';

const genuine = (all: readonly StoredHit[]) =>
  all.filter((hit) => hit.class === 'ai_bot' && hit.verified !== false);

/** Of all that is kept: the first visit of the bots that some hits are of. */
function firstOf(all: readonly StoredHit[], of: readonly StoredHit[]): number | undefined {
  const names = new Set(of.map(({ bot_name: name }) => name));
  const visits = genuine(all).filter(({ bot_name: name }) => names.has(name));
  return visits.length === 0 ? undefined : Math.min(...visits.map(({ at }) => at));
}

function isNew(all: readonly StoredHit[], asked: Recounted, bot: string): boolean | null {
  const { to, since } = asked;
  const visits = genuine(all).filter(({ bot_name: name }) => name === bot);
  const first = Math.min(...visits.map((hit) => dayOf(hit, asked)));
  if (visits.length === 0 || first < to - 6 || first > to) return false;
  return since !== null && first < since + 7 ? null : true;
}

/** By vendor without an engine: which one of several represents them is undefined. */
export function bots(all: readonly StoredHit[], asked: Recounted, group: 'bot' | 'vendor' = 'bot') {
  const chosen = select(all, asked, ['ai_bot']);
  const whole = total(chosen.now);
  return grouped(
    chosen,
    ({ vendor, bot_name: bot, intent, engine }) =>
      group === 'bot' ? [vendor, bot, intent, engine] : [vendor, '', ''],
    true,
  ).map(({ values: [vendor, bot, intent, engine], now, before, fakes }) => ({
    vendor,
    bot,
    intent,
    ...(group === 'bot' ? { engine } : {}),
    bots: distinct(now.map(({ bot_name: name }) => name)).length,
    ...readCounts(now),
    share: whole > 0 ? ratio(total(now) / whole) : 0,
    is_new: group === 'bot' && now.length > 0 && isNew(all, asked, bot ?? ''),
    ...figures(now, fakes),
    first_seen: moment(firstOf(all, [...now, ...before])) ?? figures(now).first_seen,
    series: days(asked).map((day) => sum(now.filter((hit) => dayOf(hit, asked) === day))),
    previous: compares(asked)
      ? {
          hits: sum(before),
          compared_with: comparedWith(asked, now),
          pages: readOf(before, 'page'),
        }
      : null,
    ...change(asked, now, before),
  }));
}

export function botSeries(all: readonly StoredHit[], asked: Recounted) {
  const { now, fakes } = select(all, asked, ['ai_bot']);
  return days(asked).map((day) => {
    const hits = now.filter((hit) => dayOf(hit, asked) === day);
    const spoofedHits = fakes.filter((hit) => dayOf(hit, asked) === day);
    const { hits: count, estimated, verified, spoofed, unknown } = figures(hits, spoofedHits);
    return {
      ...{ hits: count, estimated, ...intents(hits), verified, spoofed, unknown },
      estimates: estimates({
        ...hitsByIntent(hits),
        verified: hits.filter((hit) => hit.verified === true),
        spoofed: spoofedHits,
        unknown: hits.filter((hit) => hit.verified === null),
      }),
    };
  });
}

export function botTotals(all: readonly StoredHit[], asked: Recounted, group: 'bot' | 'vendor' = 'bot') {
  const { now, before, fakes } = select(all, asked, ['ai_bot']);
  return {
    ...figures(now, fakes),
    bots: distinct(now.map(({ bot_name: name }) => name)).length,
    vendors: distinct(now.map(({ vendor }) => vendor)).length,
    ...readCounts(now),
    gone: bots(all, asked, group).filter(({ hits }) => hits === 0).length,
    previous: compares(asked)
      ? {
          hits: sum(before),
          compared_with: comparedWith(asked, now),
          pages: readOf(before, 'page'),
        }
      : null,
    ...change(asked, now, before),
  };
}

/** Rows that are of the kind: of one path each, so that a row says of itself whether it was read; its days before are all of them. */
const isOfKind = ({ now }: { now: readonly StoredHit[] }, kind: Kind): boolean =>
  kind === 'all' || rowKind(now) === kind;

export function pages(all: readonly StoredHit[], asked: Recounted, kind: Kind) {
  return grouped(select(all, asked, ['ai_bot']), ({ host, path }) => [host, path])
    .filter((row) => isOfKind(row, kind))
    .map(({ values: [host, path], now, before, fakes }) => ({
      host,
      path,
      kind: rowKind(now),
      bots: distinct(now.map(({ bot_name: name }) => name)).length,
      ...figures(now, fakes, hitsByIntent(now)),
      ...intents(now),
      ...compared(asked, now, before),
    }));
}

const botPageOf = ({ host, path, bot_name: bot, vendor, intent }: StoredHit) => [
  ...[host, path, bot, vendor, intent],
];
export function botPages(all: readonly StoredHit[], asked: Recounted, kind: Kind) {
  return grouped(select(all, asked, ['ai_bot']), botPageOf)
    .filter((row) => isOfKind(row, kind))
    .map(({ values: [host, path, bot, vendor, intent], now, before, fakes }) => ({
      host,
      path,
      kind: rowKind(now),
      bot,
      vendor,
      intent,
      ...figures(now, fakes),
      ...compared(asked, now, before),
    }));
}

export function folders(all: readonly StoredHit[], asked: Recounted, prefix: string, kind: Kind) {
  const within = all.filter(({ path }) => path.startsWith(prefix));
  const everyone = select(within, { ...asked, include: 'spoofed' }, ['ai_bot']).now;
  return grouped(ofKind(select(within, asked, ['ai_bot']), kind, everyone), ({ path }) => {
    const rest = path.slice(prefix.length);
    const slash = rest.indexOf('/');
    return slash === -1 ? [path, ''] : [prefix + rest.slice(0, slash + 1), 'folder'];
  }).map(({ values: [folder, type], now, before, fakes }) => ({
    folder,
    is_folder: type === 'folder',
    kind: type === 'folder' ? null : rowKind(now),
    pages: kind === 'file' ? null : readOf(now, 'page'),
    files: kind === 'page' ? null : readOf(now, 'file'),
    bots: distinct(now.map(({ bot_name: name }) => name)).length,
    ...figures(now, fakes, hitsByIntent(now)),
    ...intents(now),
    ...compared(asked, now, before),
  }));
}

export function pageTotals(
  all: readonly StoredHit[],
  asked: Recounted,
  kind: Kind,
  group: 'page' | 'folder' | 'bot_page',
) {
  const chosen = select(all, asked, ['ai_bot']);
  const row = group === 'bot_page' ? (hit: StoredHit) => JSON.stringify(botPageOf(hit)) : pageOf;
  // The figure of spoofed visits is one, whatever is counted and whichever verdict is asked for.
  const { verified: _, ...filter } = asked.filter;
  const everyone = select(all, { ...asked, include: 'spoofed', filter }, ['ai_bot']).now;
  const { now, before, fakes } = ofKind(chosen, kind, everyone, row);
  return {
    ...figures(now, fakes),
    ...readCounts(chosen.now),
    bots: distinct(now.map(({ bot_name: name }) => name)).length,
    ...compared(asked, now, before),
  };
}
