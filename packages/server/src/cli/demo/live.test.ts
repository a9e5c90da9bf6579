/** Who comes while the demo runs must fit the days before, and must be a visitor that the collector at the edge can classify. */
import { checkRanges, compileLists, embeddedListsReadAt } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { expect, it } from 'vitest';
import { createChance } from './history/chance.ts';
import { CRAWLERS } from './history/crawlers.ts';
import { daysUntil } from './history/days.ts';
import { DAYS } from './history/index.ts';
import { SAMPLE_RATE } from './history/people.ts';
import { hitsOfDay } from './history/traffic.ts';
import { VERSIONS } from './history/write-hits.ts';
import { type Coming, openingAt, restOfDay, type Visit } from './live.ts';
import { answer } from './site.ts';

const MIDNIGHT = Date.parse('2026-11-19T00:00:00Z');
const NOON = MIDNIGHT + DAY_MS / 2;
const lists = compileLists(embeddedListsReadAt(MIDNIGHT));
const visits = (coming: readonly Coming[]): Visit[] =>
  coming.flatMap((one) => (one.via === 'edge' ? [one.visit] : []));
const botOf = ({ user_agent: userAgent }: Visit) => lists.tokens.match(userAgent)?.bot_name;
const isFromEngine = ({ referer, query }: Visit): boolean =>
  query !== '' || /chatgpt|perplexity|claude/.test(referer);

it('brings as many AI visits in a whole day as the past has on one, and people of whom the collector makes as many samples', () => {
  const live = visits(restOfDay(MIDNIGHT, lists));
  const [day] = daysUntil(MIDNIGHT, DAYS).slice(-1);
  if (day === undefined) throw new Error('no day');
  const past = hitsOfDay(day, lists, VERSIONS, createChance(7)).filter(({ host }) => host === 'shop.example');
  const within = (now: number, then: number) => {
    expect(now).toBeGreaterThan(0.7 * then);
    expect(now).toBeLessThan(1.4 * then);
  };
  within(
    live.filter((visit) => botOf(visit) !== undefined).length,
    past.filter(({ userAgent }) => lists.tokens.match(userAgent) !== null).length,
  );
  within(
    SAMPLE_RATE * live.filter((visit) => botOf(visit) === undefined && !isFromEngine(visit)).length,
    past.filter(({ sampleRate }) => sampleRate !== null).length,
  );
});

it('goes on from the moment at which it begins, in the order of time, to the end of the day', () => {
  const times = restOfDay(NOON, lists).map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(0)).toBeGreaterThan(NOON);
  expect(times.at(-1)).toBeLessThan(MIDNIGHT + DAY_MS);
  expect(restOfDay(NOON, lists)).toEqual(restOfDay(NOON, lists));
});

it('opens with some of every kind within half a minute, and goes on until something has been seen; few against a day', () => {
  const opening = openingAt(NOON, lists);
  const lively = opening.filter(({ at }) => at <= NOON + 30_000);
  const verdicts = visits(lively).map((visit) => {
    const bot = botOf(visit);
    return bot === undefined ? 'person' : checkRanges(lists, bot, visit.ip, NOON).verdict;
  });
  expect(new Set(verdicts)).toEqual(new Set(['person', true, false, null]));
  expect(visits(lively).some(isFromEngine)).toBe(true);
  expect(lively.some(({ via }) => via === 'edge_logpush')).toBe(true);
  const times = opening.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(opening.length).toBeLessThan(100);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(10_000);
});

it('sends no visitor whose proof it could not make, and no real address', () => {
  const signing = new Set(
    CRAWLERS.flatMap(({ signatureAgent, ip }) => (signatureAgent === undefined ? [] : [ip])),
  );
  const live = visits(restOfDay(MIDNIGHT, lists));
  expect(live.filter(({ ip }) => signing.has(ip))).toEqual([]);
  for (const visit of live)
    if (botOf(visit) === undefined) expect(visit.ip).toMatch(/^(?:198\.51\.100|203\.0\.113)\.|^2001:db8:/);
});

it('meets at the shop what the past met there: pages, and what has moved or gone', () => {
  const wrong = new Set<string>();
  for (const { path, query } of visits(restOfDay(MIDNIGHT, lists))) {
    const { status } = answer(`${path}${query && `?${query}`}`, MIDNIGHT + 30_000);
    const isGone =
      path.startsWith('/help/') || ['/llms.txt', '/old-catalogue.pdf', '/de/kontakt'].includes(path);
    const hasMoved = path === '/shop' || path === '/products/gas-lamp';
    // The manifest is the edge's own.
    const expected = isGone ? 404 : hasMoved ? 301 : 200;
    if (status !== expected && !path.startsWith('/.well-known/')) wrong.add(`${path} ${status}`);
  }
  expect([...wrong]).toEqual([]);
});
