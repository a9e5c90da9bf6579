/** What the recording must hold so that the collector's own verdicts make the demo. */
import { compileLists, embeddedLists, rangeVerdict } from '@ghostlight/core';
import { expect, it } from 'vitest';
import { readRecording } from './recording.ts';
import { answer } from './site.ts';

const HOSTING = new Set([14_061, 24_940, 9_009]);
const recording = await readRecording();
const lists = compileLists(embeddedLists());
const visits = recording.flatMap((event) => (event.via === 'edge' ? [event.visit] : []));
const bots = visits.flatMap((visit) => {
  const bot = lists.tokens.match(visit.user_agent);
  return bot === null ? [] : [{ ...visit, verdict: rangeVerdict(lists, bot.bot_name, visit.ip) }];
});

it('crawlers come from the networks that their vendors publish, and nobody in their masks does', () => {
  for (const { asn, ip, user_agent, verdict } of bots)
    expect(verdict, `${user_agent} from ${ip}`).not.toBe(HOSTING.has(asn));
  const verdicts = bots.map(({ verdict }) => verdict);
  expect(new Set(verdicts)).toEqual(new Set([true, false, null]));
});

it('is sorted, ten minutes long, and has nobody’s real address among its people', () => {
  const times = recording.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)).toBeLessThan(600_000);
  const people = visits.filter(({ user_agent }) => lists.tokens.match(user_agent) === null);
  expect(people.length).toBeGreaterThan(500);
  for (const { ip } of people) expect(ip).toMatch(/^(?:198\.51\.100|203\.0\.113)\.|^2001:db8:/);
});

it('meets everything at the shop that a real site has', () => {
  const noon = Date.parse('2026-11-21T12:00:00Z');
  const statuses = new Set<number>();
  for (const { path, query } of visits.filter((visit) => !visit.path.startsWith('/.well-known/')))
    for (const second of [5, 30])
      statuses.add(answer(`${path}${query && `?${query}`}`, noon + second * 1_000).status);
  expect(statuses).toEqual(new Set([200, 301, 404, 503]));
});
