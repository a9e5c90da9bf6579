/** The room over real stores, with a clock that is moved by hand, a mail server and a receiver of this machine. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StoredHit } from '@ghostlight/core';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@ghostlight/core/time';
import { DEFAULT_ORGANIZATION_ID, type Log, retentionLimits, type Scope } from '../common/index.ts';
import { createSecretCipher, type Database } from '../database/index.ts';
import { silentLog, type TestDatabase } from '../database/testing.ts';
import { createMailer, createSend } from '../outbound/index.ts';
import { startTestSmtp, type TestSmtp } from '../outbound/testing-smtp.ts';
import { createProperties, type Properties, type Property } from '../properties/index.ts';
import { hitSink, type Warehouse } from '../warehouse/index.ts';
import { makeBatch, makeHit } from '../warehouse/testing/warehouse.ts';
import type { NewChannel } from './channels.ts';
import { type Alerts, type AlertsOptions, createAlerts, forgetAlerts } from './index.ts';

export const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
/** Half past, on a Friday; fifteen days before lie in the month before. */
export const START = Date.UTC(2026, 2, 13, 12, 30);
const SECRET = 'a secret of at least thirty-two characters';
/** Looks follow each other without a hole. */
const STEP_MS = 20 * MINUTE_MS;

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver {
  readonly received: readonly Received[];
  /** What the next requests are answered. */
  answer(status: number, headers?: Record<string, string>): void;
  /** Host → where it really is. */
  readonly hosts: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

/** Stands for hooks.slack.com and ops.example. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer: { status: number; headers: Record<string, string> } = { status: 200, headers: {} };
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    received.push({
      path: incoming.url ?? '',
      headers: Object.fromEntries(
        Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: Buffer.concat(chunks).toString(),
    });
    response.writeHead(answer.status, answer.headers).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    received,
    answer(status, headers = {}) {
      answer = { status, headers };
    },
    hosts: new Map([
      ['hooks.slack.com', `${base}/slack`],
      ['ops.example', `${base}/ops`],
    ]),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface TestAlerts {
  readonly db: Database;
  readonly alerts: Alerts;
  readonly properties: Properties;
  readonly property: Property;
  readonly smtp: TestSmtp;
  readonly receiver: Receiver;
  readonly now: () => number;
  pass(ms: number): void;
  /** Later by so many ms, with a look every twenty minutes on the way and one at the end. */
  watch(ms: number): Promise<void>;
  /** Visits, received when they were made. */
  put(values: readonly Partial<StoredHit>[], property?: Property): Promise<void>;
  /** Every hour from fifteen days ago, until `until` ms from now: so many visits of a bot. */
  usual(
    values?: Partial<StoredHit>,
    options?: { until?: number; everyHours?: number; property?: Property },
  ): Promise<void>;
  /** The room as another node, or after a restart. */
  again(more?: Partial<AlertsOptions>): Promise<Alerts>;
  channel(more?: Partial<NewChannel>): Promise<{ readonly id: string; readonly secret: string | null }>;
  /** Titles with their states, newest first. */
  titles(): Promise<string[]>;
  close(): Promise<void>;
}

const noForwarding = {
  destinations: { list: async () => [] },
  health: async () => new Map(),
  accuracy: async () => ({ days: [] }),
} as unknown as AlertsOptions['forwarding'];

export async function openTestAlerts(
  home: TestDatabase,
  warehouse: Warehouse,
  clock: { now: number },
  options: {
    readonly log?: Log;
    readonly forwarding?: AlertsOptions['forwarding'];
    readonly secrets?: [string, string | null];
  } = {},
): Promise<TestAlerts> {
  const now = () => clock.now;
  const [smtp, receiver] = await Promise.all([startTestSmtp(), startReceiver()]);
  const make = (database: Database, more: Partial<AlertsOptions> = {}): Alerts =>
    createAlerts({
      database,
      warehouse,
      cipher: createSecretCipher(...(options.secrets ?? ([SECRET, null] as const))),
      forwarding: options.forwarding ?? noForwarding,
      retention: retentionLimits({ retentionDays: 90, visitorRetentionDays: 90, dailyDays: 400 }),
      send: createSend({ hosts: receiver.hosts }),
      mailer: createMailer({ url: smtp.url, from: 'Ghostlight <alerts@ghostlight.example>' }),
      appBaseUrl: () => 'https://app.example',
      rotating: false,
      clock: now,
      log: options.log ?? silentLog,
      ...more,
    });
  const db = await home.node();
  const alerts = make(db);
  const properties = createProperties(db, {
    clock: now,
    onDelete: (trx, property) => forgetAlerts(trx, property),
  });
  const property = await properties.create(OURS, 'root', { name: 'Shop', domain: 'shop.example' });
  const sink = hitSink(warehouse);
  const put: TestAlerts['put'] = async (values, to = property) => {
    const scope = { organizationId: to.organizationId, attributionIds: [to.id] as const };
    const hits = values.map((value) => {
      const at = value.at ?? clock.now;
      return makeHit(scope, { at, received_at: at, ...value });
    });
    const months = Map.groupBy(hits, ({ at }) => new Date(at).toISOString().slice(0, 7));
    for (const batch of months.values()) await sink.insert(makeBatch(batch));
  };
  return {
    ...{ db, alerts, properties, property, smtp, receiver, now, put },
    pass(ms) {
      clock.now += ms;
    },
    async watch(ms) {
      const end = clock.now + ms;
      await alerts.look();
      while (clock.now < end) {
        clock.now = Math.min(end, clock.now + STEP_MS);
        await alerts.look();
      }
    },
    async usual(values = {}, { until = 0, everyHours = 1, property: to = property } = {}) {
      const hits: Partial<StoredHit>[] = [];
      for (
        let at = clock.now - 15 * DAY_MS - 2 * HOUR_MS;
        at <= clock.now + until;
        at += everyHours * HOUR_MS
      )
        hits.push({ weight: 10, ...values, at });
      await put(hits, to);
    },
    async again(more) {
      return make(await home.node(), more);
    },
    async channel(more = {}) {
      const made = await alerts.channels.create(property, 'root', {
        ...{ type: 'webhook', name: 'Ops', target: 'https://ops.example/alerts', everywhere: false },
        ...more,
      });
      return { id: made.row.id, secret: made.secret };
    },
    async titles() {
      const { items } = await alerts.list(property, { limit: 200 });
      return items.map(({ alert }) => `${alert.resolved_at === null ? 'open' : 'over'}: ${alert.title}`);
    },
    async close() {
      await Promise.all([smtp.close(), receiver.close()]);
    },
  };
}
