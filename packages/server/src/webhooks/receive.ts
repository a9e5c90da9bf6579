/**
 * One webhook request, from address to answer. The order of the checks is part of the interface: 404, 401, 429, then the body
 * (413, 400, 422), then 200. Who has no key causes nothing but counting in memory; what is stored is stored before the 200.
 */
import { CONVERSION_LIMITS, isTopic, readConversion, TOPICS, type Topic } from '@ghostlight/core';
import type { VerifiedKey } from '../keys/index.ts';
import { type Clock, ERRORS, type ErrorCode, ServiceError, type Throttle } from '../kit/index.ts';
import type { Activity, NewActivity } from './activity.ts';
import { authErrorText, bearerKey } from './bearer.ts';
import type { ConversionStore, Outcome } from './conversions.ts';
import type { LateMatch } from './late-match.ts';
import { type Masked, maskedBody, maskedEvent } from './masking.ts';
import { type Admission, type RateLimits, rateLimitHeaders } from './rate-limit.ts';
import type { Warning } from './refunds.ts';
import type { Receiver, SettingsStore } from './settings.ts';
import type { WebhookKeys } from './webhook-keys.ts';

export interface WebhookRequest {
  /** Of the path, as sent. */
  readonly attributionId: string;
  readonly topic: string;
  /** The only attribution ID that the host may be used for; null: any. */
  readonly boundTo: string | null;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** The sender's address, to slow guessing; never stored. */
  readonly ip: string;
  /** Called once, after everything that is decided without the body. @throws ServiceError `body_too_large`, `malformed_body` */
  readonly readBody: () => Promise<unknown>;
}

export interface WebhookAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly id: string;
    readonly status: 'success';
    readonly topic: Topic;
    readonly session_matched: boolean;
    readonly duplicate: boolean;
    readonly warnings: readonly Warning[];
  };
}

export interface ReceiveDeps {
  readonly settings: Pick<SettingsStore, 'receiver'>;
  readonly keys: Pick<WebhookKeys, 'peek' | 'verify'>;
  readonly limits: RateLimits;
  readonly throttle: Throttle;
  readonly activity: Pick<Activity, 'write' | 'sample'>;
  readonly conversions: ConversionStore;
  readonly late: Pick<LateMatch, 'lookAgain'>;
  /** Writes what stands outside of a conversion's transaction. */
  readonly writeActivity: (receiver: Receiver, row: NewActivity) => Promise<void>;
  readonly clock: Clock;
}

/** @throws ServiceError for every answer but 200 */
export type Receive = (request: WebhookRequest) => Promise<WebhookAnswer>;

export function createReceive(deps: ReceiveDeps): Receive {
  return async (request) => {
    const receiver = await receiverOf(deps, request);
    const key = await keyOf(deps, request, receiver);
    const admission = await admit(deps, request, receiver, key);
    const headers = rateLimitHeaders(admission);
    const { topic, event, warnings, received, idempotencyKey } = await judged(
      deps,
      request,
      receiver,
      key,
      headers,
    );
    const outcome = await deps.conversions.store({
      receiver,
      topic,
      event,
      warnings,
      idempotencyKey,
      keyPrefix: key.prefix,
      at: deps.clock(),
      received,
    });
    // Not awaited: the sender's 200 is decided, and the sweep is behind it.
    if (!outcome.duplicate) void deps.late.lookAgain(outcome.conversion);
    return { headers, body: answer(topic, outcome) };
  };
}

async function receiverOf(
  { settings }: ReceiveDeps,
  { attributionId, boundTo }: WebhookRequest,
): Promise<Receiver> {
  const elsewhere = boundTo !== null && boundTo !== attributionId.toLowerCase();
  const receiver = elsewhere ? null : await settings.receiver(attributionId);
  if (receiver === null)
    throw new ServiceError(
      'not_found',
      'No property with this attribution ID receives conversions here. Check the address, and that receiving is enabled.',
    );
  return receiver;
}

async function keyOf(deps: ReceiveDeps, request: WebhookRequest, receiver: Receiver): Promise<VerifiedKey> {
  const presented = bearerKey(request.authorization);
  const known = deps.keys.peek(presented);
  if (known === null) {
    // Only keys that have to be looked up are slowed: a good one is known, and passes whatever others do at its address.
    const wait = deps.throttle.wait(request.ip);
    if (wait > 0)
      throw new ServiceError('rate_limited', 'Too many wrong keys from this address; try again later.', {
        headers: { 'Retry-After': String(Math.ceil(wait / 1_000)) },
      });
  }
  const verdict = known ?? (await deps.keys.verify(presented));
  if (verdict.ok && verdict.key.attributionId === receiver.attributionId) return verdict.key;
  if (presented.ok) deps.throttle.fail(request.ip);
  // A prefix is shown of the owner's keys alone: another organization's would be theirs to see.
  const own = verdict.ok
    ? verdict.key.organizationId === receiver.organizationId
    : verdict.organizationId === receiver.organizationId;
  deps.activity.sample(receiver, {
    ...rejected(
      deps.clock(),
      request,
      'auth_error',
      'unauthorized',
      authErrorText(presented, request.authorization),
    ),
    key_prefix: own ? (verdict.ok ? verdict.key.prefix : verdict.prefix) : null,
  });
  throw new ServiceError(
    'unauthorized',
    'Send a webhook key of this attribution ID as "Authorization: Bearer svc_wh_…": one blank, no quotes.',
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
}

async function admit(
  deps: ReceiveDeps,
  request: WebhookRequest,
  receiver: Receiver,
  key: VerifiedKey,
): Promise<Admission> {
  const admission = await deps.limits.take(key.id);
  if (admission === null) throw new ServiceError('unauthorized', 'The key was revoked.');
  if (admission.allowed) return admission;
  const error = `More than ${admission.limit} requests a minute with this key.`;
  deps.activity.sample(receiver, {
    ...rejected(deps.clock(), request, 'rate_limited', 'rate_limited', error),
    key_prefix: key.prefix,
  });
  throw new ServiceError(
    'rate_limited',
    `The key may make ${admission.limit} requests a minute. Send this one again after ${admission.resetSeconds} s, or raise its limit.`,
    { headers: rateLimitHeaders(admission) },
  );
}

/** The body, read and understood. What is wrong with it stands in Recent Activity before the sender hears of it. */
async function judged(
  deps: ReceiveDeps,
  request: WebhookRequest,
  receiver: Receiver,
  key: VerifiedKey,
  headers: Record<string, string>,
) {
  let body: unknown;
  try {
    body = await request.readBody();
    const topic = topicOf(request.topic);
    const idempotencyKey = idempotencyKeyOf(request.idempotencyKey);
    const reading = readConversion(topic, body);
    if ('errors' in reading) throw refusal(reading.errors);
    const received = maskedEvent(reading.event);
    return { topic, idempotencyKey, received, ...reading };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const masked = body === undefined ? null : maskedBody(body);
    await deps.writeActivity(receiver, {
      ...rejected(deps.clock(), request, 'validation_error', error.code, error.message, error.errors, masked),
      key_prefix: key.prefix,
    });
    throw new ServiceError(error.code, error.message, {
      ...(error.errors === undefined ? {} : { errors: error.errors }),
      headers: { ...headers, ...error.headers },
      cause: error,
    });
  }
}

function topicOf(text: string): Topic {
  if (isTopic(text)) return text;
  throw new ServiceError('invalid', 'The address ends with an unknown topic.', {
    errors: [{ pointer: '/topic', message: `Must be one of ${TOPICS.join(', ')}.` }],
  });
}

function idempotencyKeyOf(header: string | undefined): string | null {
  if (header === undefined || header === '') return null;
  if (header.length <= CONVERSION_LIMITS.id) return header;
  const message = `The Idempotency-Key header may have at most ${CONVERSION_LIMITS.id} characters.`;
  throw new ServiceError('invalid', message);
}

function refusal(errors: readonly Warning[]): ServiceError {
  const count = errors.length === 1 ? 'one error' : `${errors.length} errors`;
  return new ServiceError('invalid', `The body has ${count}; nothing of it was stored.`, {
    errors: [...errors],
  });
}

function rejected(
  at: number,
  { topic }: WebhookRequest,
  status: NewActivity['status'],
  code: ErrorCode,
  error: string,
  errors: readonly Warning[] = [],
  received: Masked | null = null,
): Omit<NewActivity, 'key_prefix'> {
  return {
    at,
    status,
    http_status: ERRORS[code].status,
    // What is no topic of ours is a stranger's text.
    topic: isTopic(topic) ? topic : 'unknown',
    session_matched: 0,
    match_reason: null,
    conversion_row: null,
    conversion_id: null,
    error,
    received: received?.json ?? null,
    judgement: JSON.stringify({ duplicate: false, warnings: [], errors, cut: received?.cut ?? false }),
  };
}

function answer(topic: Topic, { conversion, duplicate, warnings }: Outcome): WebhookAnswer['body'] {
  return {
    id: conversion.id,
    status: 'success',
    topic,
    session_matched: conversion.session_matched === 1,
    duplicate,
    warnings,
  };
}
