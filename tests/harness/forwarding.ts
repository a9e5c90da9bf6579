/** A shop whose conversions are forwarded to fakes of all platforms: the real service, connected to each as an operator would. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PlatformName, type Platforms, startPlatforms } from '../platforms/index.ts';
import { settingsFor } from '../platforms/settings.ts';
import { type Answer, TestService } from './service.ts';

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36';
const CLICKS =
  'gclid=Cj0KCQ-1&fbclid=IwAR0abc&ttclid=E.C.P.abc&li_fat_id=df5gf5-gh6t7&msclkid=ms-1&epik=dj0yJnU9&ScCid=sc-1&rdt_cid=rdt-1&oppref=opp-1';
const RATE_LIMIT = 100_000;

export interface Delivery {
  readonly id: string;
  readonly conversion: string;
  readonly conversion_id: string;
  readonly topic: string;
  readonly platform: PlatformName;
  readonly platform_event: string | null;
  readonly status: string;
  readonly reason: string | null;
  readonly message: string | null;
  readonly attempts: number;
  readonly replayable: boolean;
}

export interface Shop {
  readonly service: TestService;
  readonly platforms: Platforms;
  readonly property: string;
  /** Of the webhook. */
  readonly key: string;
}

/** @param environment over the harness's own settings */
export async function openShop(environment: Record<string, string> = {}): Promise<Shop> {
  const platforms = await startPlatforms();
  const service = new TestService({
    DESTINATION_HOSTS: JSON.stringify(platforms.hosts),
    EVENTS_PER_ADDRESS: '1000000',
    EVENTS_PER_PROPERTY: '1000000',
    // The visitor's address comes as from a proxy: this machine's own goes to no platform.
    TRUST_PROXY: '1',
    ...environment,
  });
  await service.start();
  return { service, platforms, ...(await newProperty(service)) };
}

export async function closeShop({ service, platforms }: Shop): Promise<void> {
  await service.dispose();
  await platforms.stop();
}

export async function newProperty(service: TestService): Promise<{ property: string; key: string }> {
  const { id } = await service.property('Shop', 'shop.example');
  await service.api('PUT', `/api/v1/properties/${id}/webhooks`, { enabled: true });
  const issued = await service.api('POST', `/api/v1/properties/${id}/webhook-keys`, {
    name: 'Shop',
    rate_limit: RATE_LIMIT,
  });
  if (issued.status !== 201) throw new Error(`no webhook key: ${JSON.stringify(issued.body)}`);
  return { property: id, key: (issued.body as { key: string }).key };
}

/** A call of the management API below the property. */
export const of = (
  { service, property }: Shop,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> => service.api(method, `/api/v1/properties/${property}${path}`, body);

/** @returns the destination's id */
export async function connect(shop: Shop, platform: PlatformName, more: object = {}): Promise<string> {
  const settings = settingsFor(platform, shop.platforms.of[platform].fake.secrets);
  const { status, body } = await of(shop, 'POST', '/destinations', {
    platform,
    name: platform,
    ...settings,
    ...more,
  });
  if (status !== 201) throw new Error(`${platform} is not connected: ${status} ${JSON.stringify(body)}`);
  return (body as { id: string }).id;
}

/** @returns platform → the destination's id */
export async function connectAll(shop: Shop): Promise<Record<PlatformName, string>> {
  const ids: Partial<Record<PlatformName, string>> = {};
  for (const name of Object.keys(shop.platforms.of) as PlatformName[]) ids[name] = await connect(shop, name);
  return ids as Record<PlatformName, string>;
}

/** A visitor lands by the ads of all platforms at once, with their cookies. @param more over the event, `page_location` with it */
export async function land(
  shop: Pick<Shop, 'service' | 'property'>,
  visitor: string,
  more: object = {},
): Promise<void> {
  const { status } = await shop.service.call('POST', '/api/events', {
    headers: { 'Content-Type': 'text/plain', 'User-Agent': CHROME, 'X-Forwarded-For': '203.0.113.77' },
    body: JSON.stringify({
      event_name: 'page_view',
      event_id: randomUUID(),
      attribution_id: shop.property,
      visitor_id: visitor,
      session_id: randomUUID(),
      session_start: true,
      page_location: `https://shop.example/lamps?utm_source=google&utm_medium=cpc&utm_campaign=spring&${CLICKS}`,
      page_referrer: 'https://www.google.com/',
      consent: { analytics: true, advertising: true },
      browser_ids: {
        _fbp: `fb.1.${Date.now()}.1098115397`,
        _ga: 'GA1.1.1234567890.1796000000',
        _ttp: '2F7h37Yk',
        _scid: '3fa85f64-5717',
        _rdt_uuid: '1796000000000.3fa85f64',
        __obref: 'obref-1',
        _uetvid: 'abc123def456',
      },
      ...more,
    }),
  });
  if (status !== 200) throw new Error(`the visit was answered ${status}`);
}

/** A visitor whose landing is recorded, so that a conversion matches at once. @returns the visitor's id */
export async function visitor(shop: Pick<Shop, 'service' | 'property'>, more: object = {}): Promise<string> {
  const id = randomUUID();
  await land(shop, id, more);
  const deadline = Date.now() + 20_000;
  while (sql(shop.service, 'select 1 from touches where visitor_id = ?', id).length === 0) {
    if (Date.now() > deadline) throw new Error('the visit was not recorded');
    await sleep(20);
  }
  return id;
}

/** @returns the webhook's answer; throws unless it is 200 */
export async function convert(
  { service, property, key }: Pick<Shop, 'service' | 'property' | 'key'>,
  topic: string,
  body: object,
): Promise<{ id: string; session_matched: boolean }> {
  const answer = await service.call('POST', `/webhooks/custom/${property}/${topic}`, {
    headers: { Authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(`${topic}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as { id: string; session_matched: boolean };
}

/** Every delivery of a property that the filter fits, over all pages. */
export async function deliveries(shop: Shop, filter = ''): Promise<Delivery[]> {
  const all: Delivery[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const { body } = await of(
      shop,
      'GET',
      `/deliveries?limit=200&${filter}${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`,
    );
    const page = body as { items: Delivery[]; next: string | null };
    all.push(...page.items);
    after = page.next;
  }
  return all;
}

/** Reads or changes the state database behind the service's back: what only time could do otherwise. */
export function sql(
  service: TestService,
  text: string,
  ...parameters: SQLInputValue[]
): Record<string, unknown>[] {
  const database = new DatabaseSync(join(service.dataDir, 'state.sqlite'), { timeout: 10_000 });
  try {
    return database.prepare(text).all(...parameters) as Record<string, unknown>[];
  } finally {
    database.close();
  }
}

/** Whatever waits for a later time has its turn now; for what was accepted, that is the question what became of it. */
export const hasten = (service: TestService): unknown =>
  sql(
    service,
    `update deliveries set next_at = 1 where state in ('pending', 'retry', 'accepted_async') and next_at > 1`,
  );

/**
 * Until every delivery is over, what waits being hastened; Google's too, whose status is asked about after half an hour.
 * @returns all of them
 */
export async function settled(shop: Shop, { withinMs = 30_000, hurry = true } = {}): Promise<Delivery[]> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const open = sql(
      shop.service,
      `select state, count(*) as n from deliveries where attribution_id = ? and state in ('pending', 'sending', 'retry', 'accepted_async') group by state`,
      shop.property,
    );
    if (open.length === 0) return await deliveries(shop);
    if (Date.now() > deadline) throw new Error(`deliveries are still open: ${JSON.stringify(open)}`);
    if (hurry) hasten(shop.service);
    await sleep(100);
  }
}
