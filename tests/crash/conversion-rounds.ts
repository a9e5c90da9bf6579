/**
 * The promise of conversions, tried the hard way: the process is killed with SIGKILL again and again while pages tell of visits and a shop
 * posts orders and refunds. What was cut off is sent again, as SDK and shops do. Every acknowledged event is then recorded and stored once,
 * every acknowledged conversion stands once, with the id that was answered, its audit row, and the visit that it came from.
 */
import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { hitId } from '@ghostlight/core';
import { expectEventConservation } from '../harness/conservation.ts';
import { TestService } from '../harness/service.ts';

export interface ConversionCrashReport {
  rounds: number;
  /** Answered 200. */
  events: number;
  conversions: number;
  /** How many of the conversions were there before their visit was. */
  late: number;
  /** Sentences, each about one event or conversion. */
  faults: string[];
}

/** From the first answer of a round: a slow machine would be killed before it did anything. */
const LIFE_MS = { min: 30, max: 700 };
const FIRST_ANSWER_MS = 20_000;
const SENDERS = 6;
/** Of one sender in one round; a series of rounds must fit into what Live shows of a property at once (500). */
const MAX_ORDERS = 40;
const SERIES = 10;
const AWAY_MS = 20;
/** A kill between a visit's commit and the look for orders that wait for it leaves them to the sweep of each minute. */
const MATCH_WITHIN_MS = 90_000;
const RECENT = 20;

interface Step {
  readonly kind: 'event' | 'conversion';
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A shop of its own for each, so that twenty rows of Recent Activity are enough to look at. */
interface Sender {
  readonly property: string;
  readonly key: string;
  /** Of the order that is under way; the first is sent until it is answered. */
  steps: Step[];
  orders: number;
  readonly events: Set<string>;
  /** `topic:idempotency key` → the id that was answered. */
  readonly conversions: Map<string, string>;
  readonly faults: string[];
}

type Rows = (sql: string, ...parameters: string[]) => Record<string, unknown>[];

/** @param progress called after each round */
export async function conversionCrashRounds(
  rounds: number,
  progress: (round: number, conversions: number) => void,
): Promise<ConversionCrashReport> {
  const service = new TestService({ EVENTS_PER_ADDRESS: '1000000', EVENTS_PER_PROPERTY: '1000000' });
  const report: ConversionCrashReport = { rounds, events: 0, conversions: 0, late: 0, faults: [] };
  try {
    await service.start();
    for (let done = 0; done < rounds; ) {
      const senders = await Promise.all(Array.from({ length: SENDERS }, () => newSender(service)));
      const series = Math.min(SERIES, rounds - done);
      for (let round = 0; round < series; round += 1) {
        await killedRound(service, senders);
        report.faults.push(...readCopy(service, (rows) => senders.flatMap((one) => halfWritten(rows, one))));
        await service.start();
        done += 1;
        progress(done, report.conversions + senders.reduce((sum, one) => sum + one.conversions.size, 0));
      }
      for (const sender of senders) await finish(service, sender);
      await expectEventConservation(service);
      await matched(service);
      for (const sender of senders) await compare(service, sender, report);
    }
    return report;
  } finally {
    await service.dispose();
  }
}

async function newSender(service: TestService): Promise<Sender> {
  const { id } = await service.property('Shop', 'shop.example');
  await service.api('PUT', `/api/v1/properties/${id}/webhooks`, { enabled: true });
  const issued = await service.api('POST', `/api/v1/properties/${id}/webhook-keys`, {
    name: 'Shop',
    rate_limit: 100_000,
  });
  const { key } = issued.body as { key: string };
  const collected = { events: new Set<string>(), conversions: new Map<string, string>(), faults: [] };
  return { property: id, key, steps: [], orders: 0, ...collected };
}

async function killedRound(service: TestService, senders: readonly Sender[]): Promise<void> {
  const stop = new AbortController();
  const answered = Promise.withResolvers<void>();
  const sending = senders.map((sender) => sendOrders(service, sender, stop.signal, answered.resolve));
  await Promise.race([answered.promise, sleep(FIRST_ANSWER_MS)]);
  await sleep(LIFE_MS.min + Math.random() * (LIFE_MS.max - LIFE_MS.min));
  await service.stop('SIGKILL');
  stop.abort();
  await Promise.all(sending);
}

async function sendOrders(
  service: TestService,
  sender: Sender,
  signal: AbortSignal,
  answered: () => void,
): Promise<void> {
  for (let begun = 0; !signal.aborted; ) {
    if (sender.steps.length === 0) {
      if (begun === MAX_ORDERS) return;
      begun += 1;
      sender.steps = nextOrder(sender);
    }
    if (await send(service, sender, signal)) answered();
    else await sleep(AWAY_MS);
  }
}

/** What a visitor does: every other one's purchase overtakes the visit, which then makes it late. */
function nextOrder(sender: Sender): Step[] {
  sender.orders += 1;
  const visitor = randomUUID();
  const order = `order-${sender.orders}`;
  const webhook = (topic: string) => `/webhooks/custom/${sender.property}/${topic}`;
  const visit: Step = {
    kind: 'event',
    path: '/api/events',
    body: {
      event_name: 'page_view',
      event_id: randomUUID(),
      attribution_id: sender.property,
      visitor_id: visitor,
      session_id: randomUUID(),
      session_start: true,
      page_location: 'https://shop.example/?utm_source=google&utm_medium=cpc&utm_campaign=spring',
      page_referrer: '',
      consent: { analytics: true, advertising: true },
    },
  };
  const purchase: Step = {
    kind: 'conversion',
    path: webhook('purchase'),
    body: { conversion_id: order, visitor_id: visitor, value: '10', currency: 'EUR' },
  };
  const refund: Step = {
    kind: 'conversion',
    path: webhook('refund'),
    body: { conversion_id: order, refund_id: `refund-${sender.orders}` },
  };
  return sender.orders % 2 === 0 ? [visit, purchase, refund] : [purchase, visit, refund];
}

/** @returns whether the first step was answered 200; then it is forgotten and what was answered written down */
async function send(service: TestService, sender: Sender, signal?: AbortSignal): Promise<boolean> {
  const [step] = sender.steps;
  if (step === undefined) return true;
  let answer: { id?: string };
  try {
    const response = await fetch(`${service.address}${step.path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sender.key}`, 'User-Agent': 'Mozilla/5.0 Chrome/153.0.0.0' },
      body: JSON.stringify(step.body),
      ...(signal === undefined ? {} : { signal }),
    });
    answer = (await response.json()) as typeof answer;
    if (response.status !== 200) {
      sender.faults.push(`${step.path} answered ${response.status}: ${JSON.stringify(answer)}`);
      return false;
    }
  } catch {
    // Cut off by the kill: it may stand or not, and is sent again.
    return false;
  }
  sender.steps = sender.steps.slice(1);
  const { event_id, refund_id, conversion_id } = step.body;
  if (step.kind === 'event') sender.events.add(String(event_id));
  else
    sender.conversions.set(
      refund_id === undefined ? `c:${conversion_id}` : `r:${refund_id}`,
      answer.id ?? '',
    );
  return true;
}

/** The order that the last kill cut off. */
async function finish(service: TestService, sender: Sender): Promise<void> {
  while (sender.steps.length > 0)
    if (!(await send(service, sender))) throw new Error('a repetition was not taken after the last start');
}

/**
 * Conversions without their audit row, or with one that says otherwise, at the moment of the kill. Older rows of Recent Activity are gone,
 * but never one that is as new as the twentieth.
 */
function halfWritten(rows: Rows, { property }: Sender): string[] {
  const audit = rows(
    `SELECT conversion_row, at, session_matched, json_extract(judgement, '$.duplicate') AS repeated
     FROM webhook_requests WHERE attribution_id = ? AND status = 'success' ORDER BY at DESC`,
    property,
  );
  const since = Number(audit[RECENT - 1]?.['at'] ?? 0);
  const recent = rows(
    'SELECT id, session_matched FROM conversions WHERE attribution_id = ? AND received_at >= ?',
    property,
    String(since),
  );
  const faults = recent.flatMap(({ id, session_matched: is }) => {
    const own = audit.filter(({ conversion_row }) => conversion_row === id);
    const first = own.filter(({ repeated }) => repeated === 0);
    if (first.length !== 1) return [`conversion ${id} has ${first.length} audit rows`];
    const other = own.find(({ session_matched: told }) => told !== is);
    return other === undefined ? [] : [`conversion ${id} is matched: ${is}, its audit row says otherwise`];
  });
  const known = new Set(
    rows('SELECT id FROM conversions WHERE attribution_id = ?', property).map(({ id }) => id),
  );
  const astray = audit.filter(({ conversion_row }) => !known.has(conversion_row));
  return [
    ...faults,
    ...astray.map(({ conversion_row }) => `an audit row tells of no conversion ${conversion_row}`),
  ];
}

/** Of a copy, so that the recovery after the kill stays the service's own. */
function readCopy<T>(service: TestService, read: (rows: Rows) => T): T {
  const directory = mkdtempSync(join(tmpdir(), 'ghostlight-crash-'));
  try {
    for (const name of ['state.sqlite', 'state.sqlite-wal'])
      if (existsSync(join(service.dataDir, name)))
        copyFileSync(join(service.dataDir, name), join(directory, name));
    return withDatabase(join(directory, 'state.sqlite'), false, read);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function withDatabase<T>(file: string, readOnly: boolean, read: (rows: Rows) => T): T {
  const database = new DatabaseSync(file, { readOnly, timeout: 5_000 });
  try {
    return read(
      (sql, ...parameters) => database.prepare(sql).all(...parameters) as Record<string, unknown>[],
    );
  } finally {
    database.close();
  }
}

const inService = <T>(service: TestService, read: (rows: Rows) => T): T =>
  withDatabase(join(service.dataDir, 'state.sqlite'), true, read);

/** Until no conversion waits any longer; who still does is for `compare` to tell. */
async function matched(service: TestService): Promise<void> {
  const deadline = Date.now() + MATCH_WITHIN_MS;
  const waiting = () =>
    inService(service, (rows) => rows('SELECT 1 FROM conversions WHERE session_matched = 0'));
  while (waiting().length > 0 && Date.now() < deadline) await sleep(100);
}

async function compare(service: TestService, sender: Sender, report: ConversionCrashReport): Promise<void> {
  const { property, conversions, events, faults } = sender;
  const find = (sql: string) => inService(service, (rows) => rows(sql, property));
  const stored = find('SELECT * FROM conversions WHERE attribution_id = ?');
  const byKey = new Map(stored.map((row) => [String(row['idempotency_key']), row]));
  for (const [key, id] of conversions) {
    const row = byKey.get(key);
    const reasons = key.startsWith('r:') ? ['inherited'] : ['matched', 'late'];
    if (row === undefined) faults.push(`conversion ${key} was acknowledged and is lost`);
    else if (row['id'] !== id) faults.push(`conversion ${key} was answered as ${id} and is ${row['id']}`);
    else if (!reasons.includes(String(row['match_reason'])) || row['campaign'] !== 'spring')
      faults.push(`conversion ${key} is ${row['match_reason']}, campaign ${row['campaign']}`);
    else if (row['value'] !== '10') faults.push(`conversion ${key} has the value ${row['value']}`);
  }
  if (stored.length !== conversions.size)
    faults.push(`${stored.length} conversions stand where ${conversions.size} were sent`);
  const seen = new Set(
    find('SELECT event_id FROM seen_events WHERE attribution_id = ?').map((row) => row['event_id']),
  );
  const touches = find('SELECT visitor_id FROM touches WHERE attribution_id = ?');
  const [sessions] = find(
    'SELECT count(*) AS n, sum(events) AS events FROM sessions WHERE attribution_id = ?',
  );
  for (const [what, count] of [
    ['events seen', seen.size],
    ['touches', touches.length],
    ['visitors with a touch', new Set(touches.map((row) => row['visitor_id'])).size],
    ['sessions', sessions?.['n']],
    ['events of sessions', sessions?.['events']],
  ])
    if (count !== events.size) faults.push(`${count} ${what} where ${events.size} were sent`);
  faults.push(...(await differingRows(service, sender)));
  report.events += events.size;
  report.conversions += conversions.size;
  report.late += stored.filter((row) => row['match_reason'] === 'late').length;
  report.faults.push(...faults);
}

/** Of the warehouse. */
async function differingRows(service: TestService, { property, events }: Sender): Promise<string[]> {
  const { body } = await service.api('GET', `/api/v1/properties/${property}/live?class=event&limit=500`);
  const shown = (body as { items: { id: string }[] }).items.map(({ id }) => id);
  const expected = new Map([...events].map((event) => [hitId(property, `event:${event}`), event]));
  const found = new Set(shown);
  return [
    ...[...expected]
      .filter(([id]) => !found.has(id))
      .map(([, event]) => `event ${event} was acknowledged and is lost`),
    ...[...found].filter((id) => !expected.has(id)).map((id) => `row ${id} is of no event`),
    ...(found.size === shown.length ? [] : [`${shown.length - found.size} events are stored twice`]),
  ];
}
