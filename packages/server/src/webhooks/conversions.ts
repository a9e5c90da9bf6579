/** Conversions: stored once, with match result, audit row and whatever hangs on them, in one transaction. */
import { createHash, randomBytes } from 'node:crypto';
import { type ConversionEvent, conversionBody, isObject, type Topic } from '@ghostlight/core';
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import type { Database, GroupCommit, NewRow, SecretCipher } from '../database/index.ts';
import type { Activity } from './activity.ts';
import { announce, type ConversionRow, type OnConversion } from './announce.ts';
import type { Masked } from './masking.ts';
import { findMatch, type Matching } from './matching.ts';
import {
  inherited,
  isSale,
  otherSale,
  passOn,
  purchaseOf,
  refundAmount,
  sameOrder,
  type Warning,
} from './refunds.ts';
import type { Receiver } from './settings.ts';
import type { ShopName } from './shops/platform.ts';

/** A conversion as a sender said it. */
export interface Said {
  readonly receiver: Receiver;
  readonly topic: Topic;
  readonly event: ConversionEvent;
  readonly warnings: readonly Warning[];
  /** The `Idempotency-Key` header; stands in for a missing conversion id. */
  readonly idempotencyKey: string | null;
  /** The platform whose own webhook said it; null: sent with a webhook key. */
  readonly shop: ShopName | null;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Where Recent Activity shows it. */
export interface Source {
  readonly keyPrefix: string | null;
  readonly shop: ShopName | null;
  /** Names a delivery of a shop. */
  readonly delivery: string | null;
  readonly received: Masked;
}

export type Arrival = Said & Source;

export interface Outcome {
  readonly conversion: ConversionRow;
  readonly duplicate: boolean;
  readonly warnings: readonly Warning[];
}

export interface ConversionStore {
  store(arrival: Arrival): Promise<Outcome>;
  /** In the caller's transaction, and without a row of Recent Activity. */
  keep(trx: Database['kysely'], said: Said): Promise<Outcome>;
  /** The row of Recent Activity. */
  show(trx: Database['kysely'], said: Said, source: Source, outcome: Outcome): Promise<void>;
}

export interface ConversionStoreDeps {
  readonly database: Database;
  readonly commits: GroupCommit;
  readonly cipher: SecretCipher;
  readonly matching: Matching;
  readonly activity: Pick<Activity, 'write'>;
  readonly onConversion: OnConversion | undefined;
}

/** Personal data outlives no longer than this; deliveries that are over sooner end it sooner. */
export const PERSONAL_DAYS = 30;
/** A conversion of longer ago is taken for a wrong clock, as is one of the future. */
const OLDEST_MS = 30 * DAY_MS;
const NEWEST_MS = 5 * MINUTE_MS;

export const personalPurpose = (id: string): string => `conversion:${id}`;

export function createConversionStore(deps: ConversionStoreDeps): ConversionStore {
  const { database, commits, matching, activity, onConversion } = deps;

  /** null: another request stored it in the meantime. */
  const insert = async (
    trx: Database['kysely'],
    row: NewRow<'conversions'>,
  ): Promise<ConversionRow | null> => {
    const stored = await trx
      .insertInto('conversions')
      .values(row)
      .onConflict((conflict) => conflict.columns(['attribution_id', 'topic', 'idempotency_key']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (stored === undefined) return null;
    const refunds = isSale(stored) ? await passOn(trx, stored) : [];
    await announce(trx, [stored, ...refunds], onConversion);
    return stored;
  };

  const keep: ConversionStore['keep'] = async (trx, said) => {
    const draft = draftOf(said, deps.cipher);
    const warnings = [...said.warnings, ...draft.warnings];
    await lockDraft(trx, database.adapter, draft.row);
    let known = await standing(trx, draft.row);
    let stored: ConversionRow | null = null;
    if (known === null) {
      const decided = await decide(trx, { database, matching }, said, draft.row);
      warnings.push(...decided.warnings);
      stored = await insert(trx, decided.row);
      known = stored === null ? await standing(trx, draft.row) : null;
    }
    const conversion = stored ?? known;
    if (conversion === null) throw new Error('a conversion is neither new nor known');
    const duplicate = stored === null;
    if (duplicate && differs(conversion, draft.row))
      warnings.push({
        pointer: '',
        message: 'payload_differs: already received with a different body; the first one counts.',
      });
    return { conversion, duplicate, warnings };
  };

  const show: ConversionStore['show'] = async (trx, { receiver, at, topic }, source, outcome) => {
    const { conversion, duplicate, warnings } = outcome;
    await activity.write(trx, receiver, {
      at,
      status: 'success',
      http_status: 200,
      topic,
      session_matched: conversion.session_matched,
      match_reason: conversion.match_reason,
      conversion_row: conversion.id,
      conversion_id: conversion.conversion_id,
      key_prefix: source.keyPrefix,
      shop: source.shop,
      delivery: source.delivery,
      error: null,
      received: source.received.json,
      judgement: JSON.stringify({ duplicate, warnings, errors: [], cut: source.received.cut }),
    });
  };

  return {
    keep,
    show,
    store: (arrival) =>
      commits.run(async (trx) => {
        const outcome = await keep(trx, arrival);
        await show(trx, arrival, arrival, outcome);
        return outcome;
      }),
  };
}

type Draft = Omit<NewRow<'conversions'>, 'session_matched' | 'match_reason' | 'touches'>;

function draftOf(
  { receiver, topic, event, idempotencyKey, shop, at }: Said,
  cipher: SecretCipher,
): { row: Draft; warnings: Warning[] } {
  const id = `cnv_${randomBytes(16).toString('hex')}`;
  const warnings: Warning[] = [];
  let occurredAt = event.eventTime ?? at;
  if (occurredAt < at - OLDEST_MS || occurredAt > at + NEWEST_MS) {
    occurredAt = at;
    const message = 'Is more than 30 days ago or 5 minutes ahead; the time of the request was used.';
    warnings.push({ pointer: '/event_time', message });
  }
  const body = conversionBody(event);
  const personal =
    event.userData === null && Object.keys(event.extra).length === 0
      ? null
      : cipher.encrypt(
          JSON.stringify({ user_data: body['user_data'] ?? null, extra: event.extra }),
          personalPurpose(id),
        );
  const row: Draft = {
    id,
    organization_id: receiver.organizationId,
    attribution_id: receiver.attributionId,
    topic,
    shop,
    idempotency_key: idempotencyOf(event, idempotencyKey, id),
    conversion_id: event.conversionId ?? id,
    refund_id: event.refundId,
    event_name: event.eventName,
    visitor_id: event.visitorId,
    occurred_at: occurredAt,
    received_at: at,
    value: event.value,
    currency: event.currency,
    tax: event.tax,
    shipping: event.shipping,
    discount_code: event.discountCode,
    lead_type: event.leadType,
    products: JSON.stringify(body['products'] ?? []),
    consent: event.consent === null ? null : JSON.stringify(body['consent'] ?? {}),
    personal,
    personal_until: at + PERSONAL_DAYS * DAY_MS,
    payload_digest: digestOf(body),
  };
  return { row, warnings };
}

/** Each kind in a name space of its own: a refund's id may be the number of another order. */
function idempotencyOf(event: ConversionEvent, header: string | null, id: string): string {
  if (event.refundId !== null) return `r:${event.refundId}`;
  if (event.conversionId !== null) return `c:${event.conversionId}`;
  return header === null ? `g:${id}` : `k:${header}`;
}

/** By which a repetition of a forgotten conversion is still known, without what it said: a hash of its key. */
export const forgottenKey = (attributionId: string, key: string): string =>
  `e:${createHash('sha256').update(`${attributionId} ${key}`).digest('hex')}`;

function digestOf(body: object): string {
  return createHash('sha256').update(JSON.stringify(body, sortedKeys)).digest('hex');
}

/** Two spellings of one body: members in another order say nothing else. */
function sortedKeys(_name: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function decide(
  trx: Database['kysely'],
  { database, matching }: Pick<ConversionStoreDeps, 'database' | 'matching'>,
  { receiver, topic }: Said,
  draft: Draft,
): Promise<{ row: NewRow<'conversions'>; warnings: readonly Warning[] }> {
  const { attributionId, lookbackDays } = receiver;
  const purchase =
    topic === 'refund' || (isSale({ topic }) && draft.conversion_id !== draft.id)
      ? await purchaseOf(
          trx,
          database.adapter,
          attributionId,
          draft.conversion_id,
          topic === 'refund' ? undefined : otherSale(topic),
        )
      : null;
  const match =
    topic === 'refund' && purchase?.session_matched === 1
      ? inherited(purchase)
      : await findMatch(matching, trx, {
          attributionId,
          visitorId: draft.visitor_id ?? null,
          occurredAt: draft.occurred_at,
          receivedAt: draft.received_at,
          lookbackDays,
        });
  const row = { ...draft, ...match, purchase_row: purchase?.id ?? null };
  if (topic !== 'refund') return { row, warnings: purchase === null ? [] : [sameOrder(purchase)] };
  const sent = { value: draft.value ?? null, currency: draft.currency ?? null };
  const { value, currency, warnings } = await refundAmount(trx, purchase, sent);
  return { row: { ...row, value, currency }, warnings };
}

/**
 * One order at a time, on whichever node: its purchase, its subscription and its refunds each look for the others, and of two that are
 * stored at the same instant neither would see the other.
 */
export async function lockOrder(
  trx: Database['kysely'],
  { lockName }: Database['adapter'],
  attributionId: string,
  conversionId: string,
): Promise<void> {
  await lockName(trx, `conversion:${attributionId}:${conversionId}`);
}

async function lockDraft(trx: Database['kysely'], adapter: Database['adapter'], draft: Draft): Promise<void> {
  const isOfOrder = (isSale(draft) || draft.topic === 'refund') && draft.conversion_id !== draft.id;
  if (isOfOrder) await lockOrder(trx, adapter, draft.attribution_id, draft.conversion_id);
}

async function standing(trx: Database['kysely'], draft: Draft): Promise<ConversionRow | null> {
  const row = await trx
    .selectFrom('conversions')
    .selectAll()
    .where('attribution_id', '=', draft.attribution_id)
    .where('topic', '=', draft.topic)
    .where('idempotency_key', 'in', [
      draft.idempotency_key,
      forgottenKey(draft.attribution_id, draft.idempotency_key),
    ])
    .executeTakeFirst();
  return row ?? null;
}

/** After the personal data's end there is nothing to compare with. */
function differs(conversion: ConversionRow, draft: Draft): boolean {
  return conversion.payload_digest !== null && conversion.payload_digest !== draft.payload_digest;
}
