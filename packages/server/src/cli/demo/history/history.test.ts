/** The demo's past must look like what the service itself would have written, and tell the same story at every start. */
import { checkRanges, type ObservedHit } from '@ghostlight/core';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { isbot } from 'isbot';
import { expect, it } from 'vitest';
import { runPipeline } from '../../../ingest/pipeline.ts';
import { toRow } from '../../../warehouse/index.ts';
import { HOST } from '../shop.ts';
import { createChance } from './chance.ts';
import { CRAWLERS, MASKED, MASKS, SURGE } from './crawlers.ts';
import { createDatedLists } from './dated-lists.ts';
import { type Day, daysUntil } from './days.ts';
import { FIRST_BOT, FIRST_ENGINE, GONE_AGO, isSurge, QUIET } from './incidents.ts';
import { looksOf } from './looks.ts';
import { HELP, JOURNAL } from './pages.ts';
import { createHitWriter, storedHit } from './rows.ts';
import { shoppingOf } from './shopping.ts';
import { hitsOfDay } from './traffic.ts';
import { hitsOfPast } from './write-hits.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const listsAt = createDatedLists();
const lists = listsAt(NOW);
const VERSIONS = { shop: '0.5.0', journal: '0.4.1' };
const WHOSE = {
  organizationId: '00000000-0000-4000-8000-000000000001',
  attributionId: '6a0f8d52-91c7-4e0b-8a55-3c1f0e2d7b44',
};
const days = daysUntil(NOW, 90);
const dayBefore = (ago: number) => {
  const day = days.at(-1 - ago);
  if (day === undefined) throw new Error('no such day');
  return hitsOfDay(day, listsAt(day.start), VERSIONS, createChance(ago));
};
const looksAt = (day: Day) => [...looksOf(day, () => hitsOfPast(day, listsAt(day.start)))];
const botOf = ({ userAgent }: ObservedHit) => lists.tokens.match(userAgent)?.bot_name;
const count = (hits: readonly ObservedHit[], bot: string) => hits.filter((hit) => botOf(hit) === bot).length;

it('writes rows as ingest does: member for member, of every host and class', () => {
  const hits = dayBefore(10);
  const classes = new Set<string>();
  for (const hit of hits) {
    const row = storedHit(hit, WHOSE, listsAt(hit.at));
    const outcome = runPipeline(
      { hit: { ...hit, attributionId: WHOSE.attributionId }, ownRequest: false },
      {
        key: { id: 'key', prefix: 'svc_', organizationId: WHOSE.organizationId, attributionId: null },
        owners: new Map([[WHOSE.attributionId, WHOSE.organizationId]]),
        domainsOf: () => [],
        searchEnginesOf: () => null,
        signatures: { check: (hit) => hit },
        lists: listsAt(hit.at),
        isBot: isbot,
        toRow,
        receivedAt: row?.received_at ?? 0,
      },
    );
    expect(outcome.kind).toBe('kept');
    expect(row === null ? '' : toRow(row)).toBe(outcome.kind === 'kept' ? outcome.row.line : 'nothing');
    classes.add(`${row?.class} ${hit.host} ${hit.source}`);
  }
  expect(classes).toEqual(
    new Set([
      'ai_bot shop.example edge_worker',
      `ai_bot ${JOURNAL} edge_worker`,
      `ai_bot ${HELP} edge_logpush`,
      'ai_referral shop.example edge_worker',
      'sample shop.example edge_worker',
      `sample ${JOURNAL} edge_worker`,
    ]),
  );
});

it('sends batches of one month each, as large as their word, and each hit once', async () => {
  const batches: { id: string; month: string; rows: number; text: string }[] = [];
  const writer = createHitWriter(
    {
      insertHits: async ({ body, ...batch }) =>
        void batches.push({ ...batch, text: Buffer.from(body).toString() }),
    },
    WHOSE,
    listsAt,
    (_moment, run) => run(),
  );
  const hits = daysUntil(Date.parse('2026-12-01T12:00:00Z'), 2).flatMap((day) =>
    hitsOfDay(day, listsAt(day.start), VERSIONS, createChance(day.ago)),
  );
  for (const hit of hits) await writer.add(hit);
  await writer.flush();
  expect(writer.written()).toBe(hits.length);
  expect(new Set(batches.map(({ month }) => month))).toEqual(new Set(['202611', '202612']));
  expect(new Set(batches.map(({ id }) => id)).size).toBe(batches.length);
  const ids = new Set<string>();
  for (const { month, rows, text } of batches) {
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(rows);
    for (const line of lines) {
      const { id, at } = JSON.parse(line) as { id: string; at: number };
      ids.add(id);
      expect(new Date(at).toISOString().slice(0, 7).replace('-', '')).toBe(month);
    }
  }
  expect(ids.size).toBe(hits.length);
});

it('is the same at every start, in the order of time and within its day', () => {
  const hits = dayBefore(3);
  expect(hits).toEqual(dayBefore(3));
  const times = hits.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const start = days.at(-4)?.start ?? 0;
  expect([Math.min(...times) >= start, Math.max(...times) < start + DAY_MS]).toEqual([true, true]);
});

it('has people do the same at every start', () => {
  expect(shoppingOf(days, NOW, createChance(1))).toEqual(shoppingOf(days, NOW, createChance(1)));
});

it('looks without a hole for as long as the rules ask for, and at most a hundred and fifty times in all', () => {
  const looks = days.flatMap(looksAt);
  expect(looks).toEqual(looks.toSorted((a, b) => a - b));
  expect(looks.length).toBeLessThan(150);
  const last = Math.max(...dayBefore(GONE_AGO).flatMap((hit) => (botOf(hit) === 'Diffbot' ? [hit.at] : [])));
  // From the first look of the watch on which no other is missing to the first that can say: a day without it.
  const isOver = looks.find((look) => look >= last + DAY_MS) ?? 0;
  const watch = looks.filter((look) => look >= isOver - DAY_MS && look <= isOver);
  const holes = watch.slice(1).map((look, index) => look - (watch[index] ?? 0));
  expect(watch.length).toBeGreaterThan(70);
  expect(Math.max(...holes)).toBeLessThanOrEqual(20 * 60_000);
});

it('looks when one that looks every five minutes would have seen first, and most', () => {
  const atDay = (its: (day: Day) => boolean) => {
    const day = days.find(its);
    if (day === undefined) throw new Error('no such day');
    return { hits: hitsOfPast(day, listsAt(day.start)), looks: looksAt(day), start: day.start };
  };
  const isSoonAfter = (looks: readonly number[], at: number) =>
    looks.some((look) => look > at && look - at <= 5 * MINUTE_MS + 1_000);
  const bot = atDay(({ ago }) => ago === FIRST_BOT.ago);
  const engine = atDay(({ ago }) => ago === FIRST_ENGINE.ago);
  const came = bot.hits.find((hit) => botOf(hit) === FIRST_BOT.bot)?.at ?? 0;
  const sent = engine.hits.find(({ referrer }) => referrer === FIRST_ENGINE.referrer)?.at ?? 0;
  expect([isSoonAfter(bot.looks, came), isSoonAfter(engine.looks, sent)]).toEqual([true, true]);

  const silence = atDay(({ ago }) => ago === QUIET.ago);
  const again = silence.hits.find(({ at }) => at >= silence.start + QUIET.hours.to * HOUR_MS)?.at ?? 0;
  expect(silence.looks.some((look) => look <= again && again - look <= 5 * MINUTE_MS)).toBe(true);

  const { hits, looks, start } = atDay(isSurge);
  const spoofed = hits.filter(({ ip }) => ip === SURGE.from.ip);
  const within = (look: number) => spoofed.filter(({ at }) => at > look - HOUR_MS && at < look).length;
  const byTheClock = Math.max(
    ...Array.from({ length: 24 }, (_, hour) => within(start + (hour + 1) * HOUR_MS)),
  );
  expect(Math.max(...looks.map(within))).toBeGreaterThanOrEqual(byTheClock);
});

it('has crawlers come from the networks that their vendors publish, and no impersonator', () => {
  for (const { userAgent, ip } of CRAWLERS) {
    const bot = lists.tokens.match(userAgent)?.bot_name;
    if (bot !== undefined) expect(checkRanges(lists, bot, ip, NOW).verdict, bot).not.toBe(false);
  }
  for (const bot of MASKED)
    for (const [, { ip }] of MASKS) expect(checkRanges(lists, bot, ip, NOW).verdict, bot).toBe(false);
});

it('tells of a bot that is new, one that went away, a spike, a surge of masks, and what was broken', () => {
  expect([count(dayBefore(5), 'MistralAI-User'), count(dayBefore(2), 'MistralAI-User') > 0]).toEqual([
    0,
    true,
  ]);
  expect([count(dayBefore(45), 'Diffbot') > 0, count(dayBefore(39), 'Diffbot')]).toEqual([true, 0]);
  expect(count(dayBefore(33), 'ClaudeBot')).toBeGreaterThan(3 * count(dayBefore(34), 'ClaudeBot'));
  const surge = dayBefore(18).filter(
    ({ userAgent, ip }) => userAgent.includes('GPTBot') && ip === SURGE.from.ip,
  );
  expect(surge.length).toBeGreaterThan(300);
  expect(new Set(surge.map(({ asn }) => asn))).toEqual(new Set([0, SURGE.from.asn]));
  const statuses = (ago: number, folder: string, from = 0, to = 24) =>
    new Set(
      dayBefore(ago).flatMap(({ host, path, status, at }) => {
        const hour = (at % DAY_MS) / HOUR_MS;
        return host === HOST && path.startsWith(folder) && hour >= from && hour < to ? [status] : [];
      }),
    );
  expect(statuses(19, '/help/')).toEqual(new Set([404]));
  expect(statuses(21, '/help/')).toContain(200);
  // The Wednesday before the 21st of November.
  expect(statuses(10, '/products/', 13, 17.5)).toContain(500);
  expect(statuses(10, '/products/', 13, 17.5)).not.toContain(200);
  expect(statuses(10, '/products/', 18, 24)).toContain(200);
  const hours = dayBefore(47).map(({ at }) => (at % DAY_MS) / HOUR_MS);
  expect(hours.filter((hour) => hour >= 1.25 && hour < 9)).toEqual([]);
});

it('has days like other days: people rather by day, fewer at weekends, more from month to month', () => {
  const kinds = (ago: number) =>
    Map.groupBy(dayBefore(ago), ({ sampleRate, source, referrer }) =>
      sampleRate !== null ? 'sample' : referrer !== '' ? 'referral' : source,
    );
  // 21 November 2026 is a Saturday.
  const [saturday, thursday] = [kinds(7), kinds(9)];
  expect(saturday.get('sample')?.length).toBeLessThan(0.85 * (thursday.get('sample')?.length ?? 0));
  expect(thursday.get('referral')?.length).toBeGreaterThan(2 * (kinds(9 + 70).get('referral')?.length ?? 0));
  const byDay = thursday.get('sample')?.filter(({ at }) => (at % DAY_MS) / HOUR_MS >= 8) ?? [];
  expect(byDay.length).toBeGreaterThan(0.75 * (thursday.get('sample')?.length ?? 0));
});

it('has orders of visits that came before them, refunds of orders, and nothing after now', () => {
  const { visits, orders } = shoppingOf(days, NOW, createChance(1));
  const came = new Map<unknown, number>();
  for (const { at, events } of visits)
    for (const { visitor_id: visitor } of events) if (!came.has(visitor)) came.set(visitor, at);
  const bought = new Set<unknown>();
  for (const { at, topic, body } of orders) {
    expect(at).toBeLessThan(NOW);
    if (topic === 'refund') expect(bought).toContain(body['conversion_id']);
    else if (body['visitor_id'] !== undefined) expect(came.get(body['visitor_id'])).toBeLessThan(at);
    bought.add(body['conversion_id']);
  }
  const topics = new Set(orders.map(({ topic }) => topic));
  expect(topics).toEqual(new Set(['purchase', 'lead', 'refund']));
  expect(orders.some(({ topic, body }) => topic === 'purchase' && body['visitor_id'] === undefined)).toBe(
    true,
  );
});
