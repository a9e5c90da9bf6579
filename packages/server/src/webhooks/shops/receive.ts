/**
 * One delivery of a shop, from address to answer. A shop platform gives up an address that fails a few times, so everything that is signed and
 * can be stored is answered with 200, whatever it says; an unknown property and a wrong signature are one and the same 401.
 */
import { isObject } from '@ghostlight/core';
import {
  type ByteLimits,
  type Clock,
  createByteBudget,
  type HeldBytes,
  ServiceError,
} from '../../common/index.ts';
import { audit, type Database, type GroupCommit } from '../../database/index.ts';
import type { Activity, NewActivity } from '../activity.ts';
import type { ConversionRow } from '../announce.ts';
import type { LateMatch } from '../late-match.ts';
import { maskedFields } from '../masking.ts';
import { type RateLimits, rateLimitHeaders } from '../rate-limit.ts';
import { rejection } from '../rejection.ts';
import type { Receiver, SettingsStore } from '../settings.ts';
import type { Connection, Connections, ShopResult } from './connections.ts';
import { type KeepDeps, type Kept, keepOrder } from './keep.ts';
import { ignored, type Message, unusable } from './message.ts';
import type { ShopName, ShopPlatform } from './platform.ts';
import type { Redactions } from './redactions.ts';
import { shopCalled } from './register.ts';
import { hasSignatureForm, isSignedBy } from './signature.ts';
import { objectOf, type Raw } from './untrusted.ts';

export interface ShopRequest {
  readonly platform: ShopName;
  /** Of the path, as sent. */
  readonly attributionId: string;
  /** The only attribution ID that the host may be used for; null: any. */
  readonly boundTo: string | null;
  readonly header: (name: string) => string | undefined;
  /** Of its sender, proxies seen through. */
  readonly ip: string;
  /** @param meter called for every piece before it is held @throws ServiceError `body_too_large`, `request_timeout`; what `meter` throws */
  readonly readBody: (maxBytes: number, meter: (bytes: number) => void) => Promise<Uint8Array>;
}

export interface ShopAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly status: 'success';
    readonly result: ShopResult;
    readonly detail: string;
    readonly conversions: readonly {
      readonly id: string;
      readonly topic: string;
      readonly session_matched: boolean;
    }[];
  };
}

export interface ShopReceiveDeps extends KeepDeps {
  readonly settings: Pick<SettingsStore, 'receiver'>;
  readonly connections: Connections;
  readonly limits: RateLimits;
  readonly redactions: Redactions;
  readonly activity: Pick<Activity, 'sample' | 'write'>;
  readonly late: Pick<LateMatch, 'lookAgain'>;
  readonly commits: GroupCommit;
  readonly onStored: (() => void) | undefined;
  readonly clock: Clock;
}

/** @throws ServiceError for every answer but 200 */
export type ShopReceive = (request: ShopRequest) => Promise<ShopAnswer>;

/** An order with its items; Shopify writes three kilobytes for each. */
export const MAX_SHOP_BODY_BYTES = 1024 * 1024;
/** Of bodies whose signature is not known yet. A shop's own server is one address and sends a few orders at a time; a platform's servers are many. */
const HELD_BYTES: ByteLimits = {
  ...{ perAddress: 4 * MAX_SHOP_BODY_BYTES, perProperty: 32 * MAX_SHOP_BODY_BYTES },
  total: 64 * MAX_SHOP_BODY_BYTES,
};
/** Without a signature nothing but a test of the address is expected. */
const MAX_PING_BYTES = 256;

export function createShopReceive(deps: ShopReceiveDeps): ShopReceive {
  const budget = createByteBudget(HELD_BYTES);
  return async (request) => {
    const platform = shopCalled(request.platform);
    const receiver = await receiverOf(deps, request);
    if (receiver === null) throw unauthorized();
    const signature = request.header(platform.headers.signature);
    const open = (): HeldBytes => budget.open(receiver.attributionId, request.ip);
    if (signature === undefined && (await isPing(request, platform, open()))) {
      deps.connections.notePing(receiver.attributionId, platform.name);
      return answered({}, { result: 'ignored', detail: 'The address is right.', conversions: [] });
    }
    const refuse = (error: string): ServiceError => {
      deps.activity.sample(receiver, {
        ...rejection(deps.clock(), { topic: '' }, 'auth_error', 'unauthorized', error),
        ...{ key_prefix: null, shop: platform.name, delivery: nameOf(request, platform) },
      });
      return unauthorized();
    };
    if (!hasSignatureForm(signature))
      throw refuse(`The header ${platform.headers.signature} is missing or malformed.`);
    const connected = async (): Promise<Connection> => {
      const connection = await deps.connections.find(receiver.attributionId, platform.name);
      if (connection === null) throw refuse(`${platform.title} is not connected: its secret is missing.`);
      return connection;
    };
    await connected();
    const { body, connection } = await holding(open(), async (take) => {
      const bytes = await request.readBody(MAX_SHOP_BODY_BYTES, take);
      // Again: its sender may take long over the body, and the secret may have been changed meanwhile.
      const current = await connected();
      if (isSignedBy(current.secrets, bytes, signature)) return { body: bytes, connection: current };
      throw refuse(
        `The signature was made with a different secret from the one that is entered for ${platform.title}.`,
      );
    });
    const headers = await admit(deps, receiver, platform, connection, request);
    const { message, json } = read(platform, request, body);
    const kept = await deps.commits.run((trx) =>
      act(deps, trx, { receiver, platform, connection, request, message, json }),
    );
    deps.connections.tally(platform.name, kept.result);
    if (kept.conversions.length > 0) deps.onStored?.();
    // Not awaited: the answer is decided, and the sweep is behind both.
    for (const conversion of kept.conversions) void deps.late.lookAgain(conversion);
    if (message.kind === 'redact') void deps.redactions.sweep();
    return answered(headers, kept);
  };
}

async function receiverOf(
  { settings }: ShopReceiveDeps,
  { attributionId, boundTo }: ShopRequest,
): Promise<Receiver | null> {
  const elsewhere = boundTo !== null && boundTo !== attributionId.toLowerCase();
  return elsewhere ? null : await settings.receiver(attributionId);
}

async function holding<T>(held: HeldBytes, work: (take: (bytes: number) => void) => Promise<T>): Promise<T> {
  try {
    return await work((bytes) => held.take(bytes));
  } finally {
    held.release();
  }
}

async function isPing(request: ShopRequest, platform: ShopPlatform, held: HeldBytes): Promise<boolean> {
  const read = holding(held, (take) => request.readBody(MAX_PING_BYTES, take));
  const body = await read.catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'body_too_large') return new Uint8Array();
    throw error;
  });
  return platform.isPing(Buffer.from(body).toString('latin1').trim());
}

const unauthorized = (): ServiceError =>
  new ServiceError(
    'unauthorized',
    'Nothing is received at this address with this signature. Check the attribution ID, that receiving is enabled, and the secret.',
  );

async function admit(
  deps: ShopReceiveDeps,
  receiver: Receiver,
  platform: ShopPlatform,
  { id }: Connection,
  request: ShopRequest,
): Promise<Record<string, string>> {
  const admission = await deps.limits.take(id);
  if (admission === null) throw unauthorized();
  const headers = rateLimitHeaders(admission);
  if (admission.allowed) return headers;
  const error = `More than ${admission.limit} deliveries a minute from this shop.`;
  deps.activity.sample(receiver, {
    ...rejection(deps.clock(), { topic: '' }, 'rate_limited', 'rate_limited', error),
    ...{ key_prefix: null, shop: platform.name, delivery: nameOf(request, platform) },
  });
  throw new ServiceError('rate_limited', error, { headers });
}

const topicOf = (request: ShopRequest, platform: ShopPlatform): string =>
  (request.header(platform.headers.topic) ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9_./-]/g, '')
    .slice(0, 64) || 'unknown';

/** For people who look a delivery up in the platform's log. */
function nameOf(request: ShopRequest, platform: ShopPlatform): string {
  const id = (request.header(platform.headers.delivery) ?? '').replace(/[^A-Za-z0-9_-]/g, '').slice(0, 64);
  return `${topicOf(request, platform)} ${id}`.trim();
}

function read(
  platform: ShopPlatform,
  request: ShopRequest,
  body: Uint8Array,
): { readonly message: Message; readonly json: unknown } {
  const topic = topicOf(request, platform);
  const reader = Object.hasOwn(platform.topics, topic) ? platform.topics[topic] : undefined;
  if (reader === undefined)
    return { message: ignored(`The topic "${topic}" has nothing to count.`), json: null };
  const json = jsonOf(body);
  if (!isObject(json)) return { message: unusable('The body is not a JSON object.'), json: null };
  if (platform.headers.test !== null && request.header(platform.headers.test) === 'true')
    return { message: { kind: 'test', why: 'The platform’s tests are not counted.' }, json };
  return { message: reader(json), json };
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    return null;
  }
}

/** Of an order that could not be used: what tells why. Nothing that a customer has typed is among it. */
const SHOWN = [
  ...['id', 'order_id', 'number', 'status', 'financial_status', 'test', 'currency', 'total', 'total_price'],
  ...['date_created_gmt', 'date_paid_gmt', 'created_at', 'processed_at', 'cancelled_at'],
];

const shownOf = (json: Raw): Raw =>
  Object.fromEntries(Object.entries(json).filter(([name]) => SHOWN.includes(name)));

interface Act {
  readonly receiver: Receiver;
  readonly platform: ShopPlatform;
  readonly connection: Connection;
  readonly request: ShopRequest;
  readonly message: Message;
  readonly json: unknown;
}

async function act(deps: ShopReceiveDeps, trx: Database['kysely'], one: Act): Promise<Kept> {
  const { receiver, platform, connection, request } = one;
  const at = deps.clock();
  const delivery = nameOf(request, platform);
  const kept = await carryOut(deps, trx, one, at, delivery);
  if (kept.result === 'unusable') {
    const row: Omit<NewActivity, 'key_prefix' | 'shop' | 'delivery'> = rejection(
      ...([at, { topic: '' }, 'validation_error', 'invalid', kept.detail, kept.errors] as const),
      one.json === null ? null : maskedFields(shownOf(objectOf(one.json))),
    );
    // The answer is 200: the platform would count anything else as a failure of the address.
    const shown = { ...row, http_status: 200, key_prefix: null, shop: platform.name, delivery };
    await deps.activity.write(trx, receiver, shown);
  }
  const { result, detail } = kept;
  await deps.connections.note(trx, connection.id, { at, topic: topicOf(request, platform), result, detail });
  return kept;
}

async function carryOut(
  deps: ShopReceiveDeps,
  trx: Database['kysely'],
  { receiver, platform, message }: Act,
  at: number,
  delivery: string,
): Promise<Kept> {
  const plain = (result: ShopResult, detail: string): Kept => ({
    result,
    detail,
    errors: [],
    conversions: [],
  });
  if (message.kind === 'order')
    return await keepOrder(deps, trx, { receiver, shop: platform.name, delivery, at }, message);
  if (message.kind === 'redact') {
    await deps.redactions.ask(trx, receiver, platform.name, message.customer);
    return plain('stored', 'Personal data will be erased within minutes; the audit log says when.');
  }
  if (message.kind === 'data_request') {
    await audit(trx, {
      at,
      actor: platform.name,
      action: 'webhook_shop.data_requested',
      subject: `${receiver.attributionId}/${message.request.slice(0, 64)}`,
      organizationId: receiver.organizationId,
    });
    return plain(
      'stored',
      'A customer asked for their stored data. The shop’s owner has to reply within 30 days.',
    );
  }
  return plain(message.kind === 'unusable' ? 'unusable' : 'ignored', message.why);
}

const answered = (
  headers: Readonly<Record<string, string>>,
  { result, detail, conversions }: Pick<Kept, 'result' | 'detail' | 'conversions'>,
): ShopAnswer => ({
  headers,
  body: { status: 'success', result, detail, conversions: conversions.map(shown) },
});

const shown = ({ id, topic, session_matched }: ConversionRow) => ({
  id,
  topic,
  session_matched: session_matched === 1,
});
