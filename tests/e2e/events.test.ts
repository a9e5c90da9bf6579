/** Browser events from a page's request to Live and the match, on the real service: killed, without its warehouse, flooded. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { hitId } from '@ghostlight/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectConservation, expectEventConservation } from '../harness/conservation.ts';
import { type Answer, TestService, workerHit } from '../harness/service.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

interface LiveItem {
  id: string;
  class: string;
  event_name: string;
  sdk_bot: boolean;
  bot_name: string;
  source: string;
  path: string;
  user_agent: string;
}

const service = new TestService({
  TRUST_PROXY: '1',
  EVENTS_SPOOL_MAX_BYTES: String(32 * 1024 ** 2),
  EVENTS_PER_PROPERTY: '10000000',
});
let property: { id: string; key: string };

beforeAll(async () => {
  await service.start();
  property = await service.property();
});
afterAll(async () => {
  await service.dispose();
});

function event(values: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    event_name: 'page_view',
    event_id: randomUUID(),
    attribution_id: property.id,
    visitor_id: 'visitor-1',
    session_id: 'session-1',
    session_start: true,
    page_location: 'https://shop.example/lamp?utm_source=news&utm_medium=email&token=secret',
    page_referrer: '',
    consent: { analytics: true, advertising: true },
    ...values,
  };
}

/** As a page sends it. `from`: each address has its own limit. */
async function send(
  body: unknown,
  { from = '198.51.100.1', headers = {} }: { from?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return await service.call('POST', '/api/events', {
    headers: {
      'Content-Type': 'text/plain;charset=UTF-8',
      'User-Agent': CHROME,
      'X-Forwarded-For': from,
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function live(query = 'limit=500&class=event'): Promise<LiveItem[]> {
  const { body } = await service.api('GET', `/api/v1/properties/${property.id}/live?${query}`);
  return (body as { items: LiveItem[] }).items;
}

/** The state database beside the service, only reading. */
function rows(sql: string, ...parameters: string[]): Record<string, unknown>[] {
  const database = new DatabaseSync(join(service.dataDir, 'state.sqlite'), {
    readOnly: true,
    timeout: 5_000,
  });
  try {
    return database.prepare(sql).all(...parameters) as Record<string, unknown>[];
  } finally {
    database.close();
  }
}

const touches = (visitor: string) => rows('SELECT body FROM touches WHERE visitor_id = ?', visitor);

async function until<T>(what: string, read: () => Promise<T> | T, holds: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`not within 30 s: ${what}; last ${JSON.stringify(value)}`);
    await sleep(50);
  }
}

describe('the endpoint', () => {
  it('takes a page’s event, shows it in Live, and knows its visitor', async () => {
    const sent = event();
    const answer = await send(sent, { headers: { Origin: 'https://www.shop.example' } });
    expect(answer).toMatchObject({ status: 200, body: { visitor_id: 'visitor-1' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.getSetCookie()).toEqual([]);
    const [touch] = await until(
      'the touch',
      () => touches('visitor-1'),
      (found) => found.length > 0,
    );
    expect(JSON.parse(String(touch?.['body']))).toMatchObject({ source: 'news', channel: 'email' });
    const items = await until(
      'Live',
      () => live(),
      (found) => found.length > 0,
    );
    expect(items).toMatchObject([
      {
        id: hitId(property.id, `event:${sent['event_id']}`),
        class: 'event',
        event_name: 'page_view',
        sdk_bot: false,
        source: 'browser',
        path: '/lamp',
        user_agent: '',
      },
    ]);
    const status = await service.api('GET', `/api/v1/properties/${property.id}/events/status`);
    expect(status.body).toMatchObject({ last_event_at: expect.any(String), foreign_events: 0 });
    const summary = await service.api('GET', `/api/v1/properties/${property.id}/live/summary`);
    expect(summary.body).toMatchObject({ totals: { event: 1 } });
  });

  it('takes the same event once, alone and in arrays, and what is readable of an array', async () => {
    const one = event({ visitor_id: 'visitor-2' });
    const results = await Promise.all([
      send(one),
      send([one, event({ visitor_id: 'visitor-2' })]),
      send([one]),
    ]);
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200]);
    const mixed = await send([event({ event_name: null }), event({ visitor_id: 'visitor-2' }), 7]);
    expect(mixed).toMatchObject({
      status: 200,
      body: { visitor_id: 'visitor-2', errors: [{ pointer: '/0/event_name' }, { pointer: '/2' }] },
    });
    expect(await send([])).toMatchObject({ status: 200, body: { visitor_id: null } });
    await expectEventConservation(service);
    expect(rows("SELECT events FROM sessions WHERE visitor_id = 'visitor-2'")).toMatchObject([{ events: 3 }]);
  });

  it.each([
    ['no JSON', 'nope', 400],
    ['no event', '7', 400],
    ['an unreadable event', JSON.stringify([{ event_name: 'page_view' }]), 422],
    ['too long a body', JSON.stringify([{ long: 'x'.repeat(70_000) }]), 413],
    ['too many events', JSON.stringify(Array.from({ length: 257 }, () => ({}))), 422],
  ])('refuses %s with a problem that a page may read', async (_, body, status) => {
    const answer = await send(body, { from: '198.51.100.2' });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('says that an attribution id is unknown, and which method it takes', async () => {
    expect(await send(event({ attribution_id: randomUUID() }))).toMatchObject({ status: 404 });
    const get = await service.call('GET', '/api/events');
    expect(get.status).toBe(405);
    const preflight = await service.call('OPTIONS', '/api/events', {
      headers: { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-headers')).toBe('Content-Type');
  });

  it('tells machines from people: by what they say of themselves, by the list, by their user agent', async () => {
    const gptbot = 'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)';
    await send(event({ visitor_id: 'machine', event_name: 'driven', bot: true }));
    await send(event({ visitor_id: 'machine', event_name: 'listed' }), { headers: { 'User-Agent': gptbot } });
    await send(event({ visitor_id: 'machine', event_name: 'plain' }), {
      headers: { 'User-Agent': 'curl/8.0' },
    });
    await expectEventConservation(service);
    const items = (await live()).filter(({ sdk_bot }) => sdk_bot);
    expect(items.map(({ event_name }) => event_name).sort()).toEqual(['driven', 'listed', 'plain']);
    expect(items.find(({ event_name }) => event_name === 'listed')).toMatchObject({
      class: 'event',
      bot_name: 'GPTBot',
      user_agent: gptbot,
    });
    expect(touches('machine')).toEqual([]);
  });

  it('counts foreign origins, and refuses them where the property says so', async () => {
    const path = `/api/v1/properties/${property.id}/events`;
    const from = (origin: string) => send(event({ visitor_id: 'origins' }), { headers: { Origin: origin } });
    expect((await from('https://thief.example')).status).toBe(200);
    const changed = await service.api('PATCH', `${path}/settings`, {
      refuse_foreign_origins: true,
      allowed_origins: ['https://Checkout.Example/'],
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { refuse_foreign_origins: true, allowed_origins: ['checkout.example'] },
    });
    expect((await from('https://thief.example')).status).toBe(403);
    expect((await from('null')).status).toBe(403);
    expect((await from('https://notshop.example')).status).toBe(403);
    expect((await from('https://checkout.example')).status).toBe(200);
    expect((await from('https://www.shop.example:8443')).status).toBe(200);
    const status = await until(
      'the origins',
      async () =>
        (await service.api('GET', `${path}/status`)).body as { foreign_events: number; origins: unknown[] },
      ({ foreign_events }) => foreign_events === 4,
    );
    expect(status.origins).toContainEqual(
      expect.objectContaining({ origin: 'thief.example', foreign: true, accepted: 1, refused: 1 }),
    );
    await service.api('PATCH', `${path}/settings`, { refuse_foreign_origins: false });
    await expectEventConservation(service);
  });

  it('answers 429 to an address that sends too much, and to no other', async () => {
    const batch = () => Array.from({ length: 20 }, () => ({}));
    const statuses: number[] = [];
    let refused: Answer | undefined;
    for (let n = 0; n < 40 && refused === undefined; n += 1) {
      const answer = await send(batch(), { from: '2001:db8::1' });
      statuses.push(answer.status);
      if (answer.status === 429) refused = answer;
    }
    expect(new Set(statuses)).toEqual(new Set([422, 429]));
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    // The same /64.
    expect((await send(batch(), { from: '2001:db8::2' })).status).toBe(429);
    expect((await send(event(), { from: '2001:db8:0:1::1' })).status).toBe(200);
  });

  it('erases a visitor from the command line, also what Live shows', async () => {
    await send(event({ visitor_id: 'forget-me' }));
    await expectEventConservation(service);
    const { code, stdout } = await service.run(['visitors', 'erase', property.id, 'forget-me']);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 session, 1 touch and 1 event'),
    });
    expect(touches('forget-me')).toEqual([]);
    const again = await service.api('DELETE', `/api/v1/properties/${property.id}/visitors/forget-me`);
    expect(again).toMatchObject({ status: 200, body: { sessions: 0, touches: 0, events: 0 } });
    expect(
      (await service.api('DELETE', `/api/v1/properties/${randomUUID()}/visitors/forget-me`)).status,
    ).toBe(404);
  });
});

describe('beside webhooks', () => {
  it('matches a conversion to the touch that comes before it, and to the one that comes late', async () => {
    const path = `/api/v1/properties/${property.id}`;
    await service.api('PUT', `${path}/webhooks`, { enabled: true });
    const issued = await service.api('POST', `${path}/webhook-keys`, { name: 'Shop' });
    const post = (visitor: string, order: string) =>
      service.call('POST', `/webhooks/custom/${property.id}/purchase`, {
        headers: { Authorization: `Bearer ${(issued.body as { key: string }).key}` },
        body: JSON.stringify({ visitor_id: visitor, conversion_id: order, value: '9.90', currency: 'EUR' }),
      });
    await send(event({ visitor_id: 'buyer' }));
    await until(
      'the touch',
      () => touches('buyer'),
      ({ length }) => length === 1,
    );
    expect((await post('buyer', 'A-1')).body).toMatchObject({ session_matched: true });
    expect((await post('late', 'A-2')).body).toMatchObject({ session_matched: false });
    await send(event({ visitor_id: 'late' }));
    const matched = () => rows("SELECT match_reason FROM conversions WHERE conversion_id = 'A-2'");
    await until('the late match', matched, ([row]) => row?.['match_reason'] === 'late');
    // The page says it too: it is no other conversion.
    await send(
      event({
        visitor_id: 'buyer',
        event_name: 'purchase',
        conversion_id: 'A-1',
        value: 9.9,
        currency: 'EUR',
      }),
    );
    await until(
      'the link',
      () => rows("SELECT * FROM browser_conversions WHERE conversion_id = 'A-1'"),
      ({ length }) => length === 1,
    );
    expect(rows('SELECT id FROM conversions')).toHaveLength(2);
    const erased = await service.api('DELETE', `${path}/visitors/buyer`);
    expect(erased.body).toMatchObject({ touches: 1, conversions: 1 });
  });
});

describe('when something is down', () => {
  it('knows visitors while the warehouse hangs, and stores their events afterwards', async () => {
    expect(service.signalWarehouse('SIGSTOP')).toBe(true);
    for (let n = 0; n < 10; n += 1) {
      expect((await send(event({ visitor_id: `away-${n}` }))).status).toBe(200);
    }
    await until(
      'the touches',
      () => rows("SELECT id FROM touches WHERE visitor_id LIKE 'away-%'"),
      ({ length }) => length === 10,
    );
    expect(service.signalWarehouse('SIGCONT')).toBe(true);
    await expectEventConservation(service);
  });

  it('killed in the middle of it, again and again: every acknowledged event is there once', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      let sending = true;
      // All of them must fit into what Live shows at once.
      const enough = (round + 1) * 80;
      const before = acknowledged.length;
      const stream = Promise.all(
        Array.from({ length: 4 }, async (_, sender) => {
          while (sending && acknowledged.length < enough) {
            const id = randomUUID();
            const sent = event({ visitor_id: `kill-${sender}`, session_id: `kill-${sender}`, event_id: id });
            const answer = await send(sent, { from: `192.0.2.${round * 4 + sender}` }).catch(() => null);
            if (answer?.status === 200) acknowledged.push(id);
            await sleep(5);
          }
        }),
      );
      // The kill must meet a service at work, however busy the machine is.
      await until(
        'the first answers',
        () => acknowledged.length - before,
        (answers) => answers > 5,
      );
      // Not the same moment in any two rounds: between spool, database, second spool and warehouse.
      await sleep(150 + round * 130);
      await service.stop('SIGKILL');
      sending = false;
      await stream;
      await service.start();
    }
    await expectEventConservation(service);
    const ids = new Set((await live()).map(({ id }) => id));
    expect(acknowledged.length).toBeGreaterThan(20);
    expect(acknowledged.filter((id) => !ids.has(hitId(property.id, `event:${id}`)))).toEqual([]);
    const [sum] = rows("SELECT sum(events) AS events FROM sessions WHERE visitor_id LIKE 'kill-%'");
    const [seen] = rows(
      `SELECT count(*) AS events FROM seen_events WHERE event_id IN (${acknowledged.map((id) => `'${id}'`).join(',')})`,
    );
    expect(seen).toEqual({ events: acknowledged.length });
    expect(Number(sum?.['events'])).toBeGreaterThanOrEqual(acknowledged.length);
    await expectConservation(service);
  });

  it('a flood of events fills their own spool and closes nothing else', async () => {
    expect(service.signalWarehouse('SIGSTOP')).toBe(true);
    const filler = Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [`p${n}`, `${randomUUID().repeat(14)}`]),
    );
    let refused: Answer | undefined;
    for (let n = 0; n < 4_000 && refused === undefined; n += 1) {
      const batch = Array.from({ length: 12 }, () => event({ visitor_id: 'flood', ...filler }));
      const answer = await send(batch, { from: `2001:db8:1:${n.toString(16)}::1` });
      if (answer.status !== 200) refused = answer;
    }
    expect(refused?.status).toBe(503);
    expect(refused?.headers.get('retry-after')).toBe('5');
    const hit = await service.hits(property.key, [workerHit({ pathname: '/through-the-flood' })]);
    expect(hit.status).toBe(204);
    expect((await service.call('GET', '/readyz')).body).toMatchObject({ checks: { spool: 'ok' } });
    expect(service.signalWarehouse('SIGCONT')).toBe(true);
    await until(
      'room again',
      async () => (await send(event(), { from: '2001:db8:2::1' })).status,
      (status) => status === 200,
    );
    await expectEventConservation(service);
    await expectConservation(service);
  });
});
