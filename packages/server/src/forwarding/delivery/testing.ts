/** Delivery over a real database, against a real server that a test tells what to answer. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DAY_MS } from '@ghostlight/core/time';
import { DEFAULT_ORGANIZATION_ID, type Log } from '../../common/index.ts';
import { createSecretCipher, type Database, type NewRow } from '../../database/index.ts';
import type { ForwardedConversion, HttpResponse, MatchContext, Verdict } from '../../destinations/index.ts';
import { createSend } from '../../outbound/index.ts';
import { createDelivery } from './delivery.ts';
import type {
  BoundDestination,
  Delivery,
  DeliveryDeps,
  DeliveryRow,
  DestinationRow,
  Loaded,
} from './ports.ts';

export const PROPERTY = '11111111-1111-4111-8111-111111111111';
export const HOST = 'platform.example';
export const TOKEN = 'the-secret-token-of-this-destination';
export const EMAIL = 'jane.doe@customer.example';

/** What the server was asked. */
export interface Asked {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Ids of the deliveries in it. */
  readonly ids: readonly string[];
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface TestPlatform {
  readonly base: string;
  readonly asked: Asked[];
  /** The newest is asked first; `'hang'` never answers, `'cut'` ends the connection. */
  answer: (asked: Asked) => Answer | 'hang' | 'cut' | Promise<Answer>;
  close(): void;
}

export async function openPlatform(): Promise<TestPlatform> {
  const asked: Asked[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const ids = [...body.matchAll(/"id":"(dlv_[^"]+)"/g)].map(([, id = '']) => id);
    const one: Asked = { path: request.url ?? '', headers: request.headers, body, ids };
    asked.push(one);
    const answer = await platform.answer(one);
    if (answer === 'cut') return void request.socket.destroy();
    if (answer === 'hang') return;
    response.writeHead(answer.status ?? 200, answer.headers ?? {}).end(answer.body ?? '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const platform: TestPlatform = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: () => ({}),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return platform;
}

/** Like a platform that takes up to 1,000 events and answers by status alone. */
export function testDestination(changes: Partial<BoundDestination> = {}): BoundDestination {
  return {
    platform: 'webhook',
    credentials: { token: TOKEN },
    limits: {
      ...{ maxBatch: 1_000, maxBytes: 1_000_000, maxAgeMs: 7 * DAY_MS, maxFutureMs: 60_000 },
      ...{ perMinute: null, timeoutMs: 5_000 },
    },
    hosts: [HOST],
    plainFields: ['user_agent'],
    oauth: null,
    poll: null,
    guarantee: () => 'dedup',
    decide: ({ id, user }) => ({
      event: { id: id.replace('cnv_', 'dlv_'), email: user?.email ?? null },
      name: 'Purchase',
    }),
    build: (events, auth) => ({
      method: 'POST',
      url: `https://${HOST}/events?access_token=${auth.credentials['token']}`,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${auth.accessToken ?? auth.credentials['token']}`,
      },
      body: JSON.stringify({ events }),
    }),
    buildTest: (event, auth) => testDestination().build([event], auth),
    classify: (response, events) => events.map(() => byStatus(response)),
    ...changes,
  };
}

function byStatus({ status, body }: HttpResponse): Verdict {
  const message = body === '{}' ? `It answered ${status}.` : `It answered ${status}: ${body}`;
  const said = { code: `http_${status}`, message };
  if (status === 200) return { kind: 'delivered' };
  if (status === 202) return { kind: 'accepted', ref: 'ref-1' };
  if (status === 401) return { kind: 'auth', ...said };
  if (status === 404) return { kind: 'config', ...said };
  if (status === 429) return { kind: 'throttled', scope: 'minute', ...said };
  return status >= 400 && status < 500 ? { kind: 'bisect', ...said } : { kind: 'retry', ...said };
}

/** Everything that delivery needs besides the database; what a test cares for it changes. */
export function testDelivery(
  database: Database,
  { base }: Pick<TestPlatform, 'base'>,
  options: Pick<DeliveryDeps, 'clock' | 'log'> &
    Partial<DeliveryDeps> & { readonly destination?: (row: DestinationRow) => BoundDestination },
): Delivery {
  const { destination = () => testDestination(), ...deps } = options;
  return createDelivery({
    database,
    destinations: { open: destination, seal: sealed },
    contexts: { load: async (rows) => new Map(rows.map((row) => [row.id, loaded(row)])) },
    send: createSend({ hosts: new Map([[HOST, base]]) }),
    node: 'node-a',
    random: () => 1,
    ...deps,
  });
}

const cipher = createSecretCipher('a secret of at least thirty-two characters');
export const sealed = (id: string, credentials: Readonly<Record<string, string>>): string =>
  cipher.encrypt(JSON.stringify(credentials), `destination:${id}`);
export const unsealed = (row: Pick<DestinationRow, 'id' | 'credentials'>): Record<string, string> =>
  JSON.parse(cipher.decrypt(row.credentials, `destination:${row.id}`)) as Record<string, string>;

export function loaded(row: DeliveryRow, changes: Partial<ForwardedConversion> = {}): Loaded {
  const conversion: ForwardedConversion = {
    ...{
      id: row.conversion_row,
      attributionId: PROPERTY,
      topic: 'purchase',
      conversionId: row.conversion_id,
    },
    ...{ refundId: null, eventName: null, occurredAt: row.created_at, receivedAt: row.created_at },
    ...{
      value: '10',
      currency: 'EUR',
      tax: null,
      shipping: null,
      discountCode: null,
      leadType: null,
      products: [],
    },
    user: { email: EMAIL, phone: '+491701234567', firstName: null, lastName: null, address: null, extra: {} },
    ...changes,
  };
  const context: MatchContext = {
    ...{ visitorId: 'visitor', firstSeen: null, touch: null, clickIds: {}, browserIds: {}, client: null },
    ...{ pageUrl: null, referrer: null, original: null },
    consent: { advertising: 'granted', analytics: 'granted', saleOfData: null },
  };
  return { conversion, context };
}

export async function insertProperty({ kysely }: Database): Promise<void> {
  const row = {
    id: PROPERTY,
    organization_id: DEFAULT_ORGANIZATION_ID,
    name: 'Shop',
    domain: 'shop.example',
  };
  await kysely
    .insertInto('properties')
    .values({ ...row, created_at: 0, updated_at: 0, deleted_at: null })
    .execute();
}

export async function insertDestination(
  { kysely }: Database,
  changes: Partial<NewRow<'destinations'>> = {},
): Promise<string> {
  const id = changes.id ?? 'dst_1';
  await kysely
    .insertInto('destinations')
    .values({
      ...{
        id,
        organization_id: DEFAULT_ORGANIZATION_ID,
        attribution_id: PROPERTY,
        platform: 'webhook',
        name: 'Ads',
      },
      ...{
        config: '{}',
        credentials: sealed(id, { token: TOKEN }),
        credentials_at: 0,
        events: '{}',
        paused: 0,
      },
      ...{
        alarm: null,
        not_before: null,
        failures: 0,
        revision: 1,
        created_at: 0,
        updated_at: 0,
        deleted_at: null,
      },
      ...changes,
    })
    .execute();
  return id;
}

/** `dlv_<destination>_<n>` for `cnv_<destination>_<n>`, due at once, the first before the second. */
export async function insertDeliveries(
  { kysely }: Database,
  count: number,
  now: number,
  changes: Partial<NewRow<'deliveries'>> = {},
): Promise<string[]> {
  const destination = changes.destination_id ?? 'dst_1';
  const rows = Array.from({ length: count }, (_, n): NewRow<'deliveries'> => {
    const name = `${destination}_${String(n).padStart(5, '0')}`;
    return {
      ...{ id: `dlv_${name}`, organization_id: DEFAULT_ORGANIZATION_ID, attribution_id: PROPERTY },
      ...{
        destination_id: destination,
        platform: 'webhook',
        conversion_row: `cnv_${name}`,
        topic: 'purchase',
      },
      ...{
        conversion_id: `ord_${n}`,
        visitor_id: null,
        state: 'pending',
        attempts: 0,
        next_at: now,
        history: '[]',
      },
      ...{ created_at: now, updated_at: now },
      ...changes,
    };
  });
  for (let from = 0; from < rows.length; from += 500)
    await kysely
      .insertInto('deliveries')
      .values(rows.slice(from, from + 500))
      .execute();
  return rows.map(({ id }) => id);
}

export const deliveriesOf = ({ kysely }: Database): Promise<DeliveryRow[]> =>
  kysely.selectFrom('deliveries').selectAll().orderBy('id').execute();

export const destinationOf = ({ kysely }: Database, id = 'dst_1'): Promise<DestinationRow> =>
  kysely.selectFrom('destinations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Keeps every line as it would be written. */
export function recorder(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const write = (fields: object, message: string): void => {
    lines.push(JSON.stringify({ ...fields, message }));
  };
  const log = { lines, debug: write, info: write, warn: write, error: write, child: () => log };
  return log;
}
