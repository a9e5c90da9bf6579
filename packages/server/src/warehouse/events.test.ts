import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  eraseVisitorEvents,
  eventSink,
  hitSink,
  type LiveRequest,
  liveHits,
  liveSummary,
  type StoredEvent,
  storedEventCount,
  toEventRow,
} from './index.ts';
import {
  makeBatch,
  makeHit,
  NOON,
  newScope,
  openTestWarehouse,
  type TestScope,
  type TestWarehouse,
} from './testing/warehouse.ts';

let place: TestWarehouse;
beforeAll(async () => {
  place = await openTestWarehouse({ clock: () => NOON + 60_000 });
});
afterAll(() => place.close());

function makeEvent(scope: TestScope, values: Partial<StoredEvent> = {}): StoredEvent {
  return {
    id: randomUUID(),
    organization_id: scope.organizationId,
    attribution_id: scope.attributionIds[0],
    at: NOON,
    received_at: NOON,
    event_name: 'page_view',
    visitor_id: 'visitor-1',
    session_id: 'session-1',
    user_id: '',
    sdk_bot: false,
    bot_name: '',
    vendor: '',
    intent: '',
    host: 'shop.example',
    path: '/💡',
    query_params: { utm_source: 'news' },
    title: 'A "title"\nof two lines',
    referrer: '',
    user_agent: '',
    language: 'de-DE',
    timezone: 'Europe/Berlin',
    conversion_id: '',
    value: '',
    currency: '',
    params: '{"plan":"pro"}',
    lib: 'ghostlight.js',
    lib_version: '0.1.0',
    ...values,
  };
}

async function store(events: readonly StoredEvent[], leaveOut: number[] = []): Promise<string> {
  const batch = {
    id: randomUUID(),
    attempt: 1,
    month: '202603',
    rows: events.length,
    body: Buffer.from(events.map((event) => `${toEventRow(event)}\n`).join('')),
  };
  const sink = eventSink(place.warehouse, async () => leaveOut);
  expect(await sink.duplicates?.(batch)).toEqual(leaveOut);
  await sink.insert(batch);
  // A retry of the same attempt is the same block.
  await sink.insert(batch);
  expect(await sink.count(batch)).toBe(events.length);
  return batch.id;
}

it('tells which rows of a batch are missing after some were deleted, of hits and of events', async () => {
  const scope = newScope();
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  const events = Buffer.from(ids.map((id) => `${toEventRow(makeEvent(scope, { id }))}\n`).join(''));
  const hits = makeBatch(ids.map((id) => makeHit(scope, { id })));
  const eventBatch = { ...hits, body: events };
  for (const [table, sink, batch] of [
    ['hits', hitSink(place.warehouse), hits],
    ['events', eventSink(place.warehouse, async () => []), eventBatch],
  ] as const) {
    await sink.insert(batch);
    expect(await sink.missing?.(batch)).toEqual([]);
    await place.warehouse.command(
      {
        sql: `ALTER TABLE ${table} DELETE WHERE id = {id:UUID}`,
        params: { id: ids[1] ?? '' },
        settings: { mutations_sync: 2 },
      },
      'report',
    );
    expect([await sink.count(batch), await sink.missing?.(batch)]).toEqual([2, [1]]);
    // The same rows under another attempt: there are more of them, and no other ones.
    await sink.insert({ ...batch, attempt: batch.attempt + 1 });
    expect([await sink.count(batch), await sink.distinct?.(batch)]).toEqual([5, 3]);
  }
});

const names = async (scope: TestScope, request: LiveRequest = {}) =>
  (await liveHits(place.warehouse, scope, request)).items.map(({ event_name, path }) => event_name || path);

it('shows hits and events in one list by arrival, page by page, each half filtered as it can be', async () => {
  const scope = newScope();
  const hits = [0, 2, 4].map((n) => makeHit(scope, { received_at: NOON + n * 1_000, path: `/${n}` }));
  const human = makeEvent(scope, { received_at: NOON + 1_000, event_name: 'one' });
  const machine = makeEvent(scope, {
    received_at: NOON + 3_000,
    event_name: 'three',
    sdk_bot: true,
    bot_name: 'GPTBot',
    intent: 'training',
  });
  await hitSink(place.warehouse).insert(makeBatch(hits));
  await store([human, machine]);

  expect(await names(scope)).toEqual(['/4', 'three', '/2', 'one', '/0']);
  const first = await liveHits(place.warehouse, scope, { limit: 2 });
  expect(first.more).toBe(true);
  const last = first.items.at(-1);
  expect(last).toMatchObject({ event_name: 'three', class: 'event', source: 'browser', sdk_bot: true });
  expect(await names(scope, { before: last ?? { received_at: 0, id: '' } })).toEqual(['/2', 'one', '/0']);
  expect(await names(scope, { seen: [human.id] })).toEqual(['/4', 'three', '/2', '/0']);
  expect(await names(scope, { classes: ['event'] })).toEqual(['three', 'one']);
  expect(await names(scope, { classes: ['ai_bot'] })).toEqual(['/4', '/2', '/0']);
  expect(await names(scope, { source: 'browser' })).toEqual(['three', 'one']);
  expect(await names(scope, { source: 'edge_worker' })).toEqual(['/4', '/2', '/0']);
  expect(await names(scope, { bot: 'gptbot' })).toEqual(['/4', 'three', '/2', '/0']);
  expect(await names(scope, { verified: 'unknown' })).toEqual(['/4', '/2', '/0']);
  expect(await names(scope, { classes: [] })).toEqual([]);
  expect(await names(newScope())).toEqual([]);
});

it('counts events beside hits, minute by minute', async () => {
  const scope = newScope();
  await hitSink(place.warehouse).insert(makeBatch([makeHit(scope)]));
  await store([
    makeEvent(scope),
    makeEvent(scope),
    makeEvent(scope, { at: NOON - 60_000, received_at: NOON - 60_000 }),
  ]);
  const { totals, minutes } = await liveSummary(place.warehouse, scope);
  expect(totals).toEqual({ ai_bot: 1, ai_referral: 0, sample: 0, search_engine: 0, event: 3, spoofed: 0 });
  expect(minutes.filter(({ event }) => event > 0)).toEqual([
    { at: NOON - 60_000, ai_bot: 0, ai_referral: 0, sample: 0, search_engine: 0, event: 1, spoofed: 0 },
    { at: NOON, ai_bot: 1, ai_referral: 0, sample: 0, search_engine: 0, event: 2, spoofed: 0 },
  ]);
  const onlyEvents = await liveSummary(place.warehouse, scope, { classes: ['event'] });
  expect(onlyEvents.totals).toMatchObject({ ai_bot: 0, event: 3 });
});

it('erases one visitor of one property, up to a moment, and says how many rows it were', async () => {
  const scope = newScope();
  const other = newScope();
  const before = await storedEventCount(place.warehouse);
  await store([
    makeEvent(scope),
    makeEvent(scope, { received_at: NOON + 5_000 }),
    makeEvent(scope, { visitor_id: 'visitor-2' }),
    makeEvent(other),
  ]);
  const digest = createHash('sha256').update('saltvisitor-1').digest('hex');
  const visitor = { salt: 'salt', digest };
  expect(await eraseVisitorEvents(place.warehouse, scope, visitor, NOON)).toBe(1);
  expect(await eraseVisitorEvents(place.warehouse, scope, visitor, NOON)).toBe(0);
  expect(await storedEventCount(place.warehouse)).toBe(before + 3);
  expect(await names(other)).toEqual(['page_view']);
});
