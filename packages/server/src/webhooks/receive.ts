/**
 * One webhook request, from address to answer. The order of the checks is part of the interface: 404, 401, 429, then the body
 * (413, 400, 422), then 200. Who has no key causes nothing but counting in memory; what is stored is stored before the 200.
 */
import type { Topic } from '@ghostlight/core';
import { ServiceError, type Throttle } from '../common/index.ts';
import type { VerifiedKey } from '../keys/index.ts';
import type { Activity } from './activity.ts';
import { authErrorText, bearerKey } from './bearer.ts';
import type { ConversionStore, Outcome } from './conversions.ts';
import { type JudgeDeps, type JudgedRequest, judge } from './judge.ts';
import type { LateMatch } from './late-match.ts';
import { type Admission, type RateLimits, rateLimitHeaders } from './rate-limit.ts';
import type { Warning } from './refunds.ts';
import { rejection } from './rejection.ts';
import type { Receiver, SettingsStore } from './settings.ts';
import type { WebhookKeys } from './webhook-keys.ts';

export interface WebhookRequest extends JudgedRequest {
  /** Of the path, as sent. */
  readonly attributionId: string;
  /** The only attribution ID that the host may be used for; null: any. */
  readonly boundTo: string | null;
  readonly authorization: string | undefined;
  /** The sender's address, to slow wrong keys; never stored. */
  readonly ip: string;
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

export interface ReceiveDeps extends JudgeDeps {
  readonly settings: Pick<SettingsStore, 'receiver'>;
  readonly keys: Pick<WebhookKeys, 'peek' | 'verify'>;
  readonly limits: RateLimits;
  readonly throttle: Throttle;
  readonly activity: Pick<Activity, 'sample'>;
  readonly conversions: ConversionStore;
  readonly late: Pick<LateMatch, 'lookAgain'>;
  readonly onStored: (() => void) | undefined;
}

/** @throws ServiceError for every answer but 200 */
export type Receive = (request: WebhookRequest) => Promise<WebhookAnswer>;

export function createReceive(deps: ReceiveDeps): Receive {
  return async (request) => {
    const receiver = await receiverOf(deps, request);
    const key = await keyOf(deps, request, receiver);
    const admission = await admit(deps, request, receiver, key);
    const headers = rateLimitHeaders(admission);
    const { topic, event, warnings, received, idempotencyKey } = await judge(
      deps,
      { ...request, checkAgain: async () => void (await keyOf(deps, request, receiver)) },
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
      shop: null,
      delivery: null,
      at: deps.clock(),
      received,
    });
    if (!outcome.duplicate) {
      deps.onStored?.();
      // Not awaited: the sender's 200 is decided, and the sweep is behind it.
      void deps.late.lookAgain(outcome.conversion);
    }
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
  const from = () => request.ip;
  // Looked up before anything is counted: wrong keys from an address cost a good one there nothing.
  const verdict = deps.keys.peek(presented, from) ?? (await deps.keys.verify(presented, from));
  if (verdict.ok && verdict.key.attributionId === receiver.attributionId) return verdict.key;
  // A prefix is shown of the owner's keys alone: another organization's would be theirs to see.
  const own = verdict.ok
    ? verdict.key.organizationId === receiver.organizationId
    : verdict.organizationId === receiver.organizationId;
  deps.activity.sample(receiver, {
    ...rejection(
      deps.clock(),
      request,
      'auth_error',
      'unauthorized',
      authErrorText(presented, request.authorization),
    ),
    key_prefix: own ? (verdict.ok ? verdict.key.prefix : verdict.prefix) : null,
  });
  if (presented.ok) slowDown(deps.throttle, request.ip);
  throw new ServiceError(
    'unauthorized',
    'Send a webhook key of this attribution ID as "Authorization: Bearer svc_wh_…": one space, no quotes.',
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
}

/** @throws ServiceError `rate_limited` instead of the 401, where many wrong keys came from the address */
function slowDown(throttle: Throttle, ip: string): void {
  const wait = throttle.wait(ip);
  if (wait === 0) {
    throttle.fail(ip);
    return;
  }
  throw new ServiceError('rate_limited', 'This key is wrong, and so were many from this address before it.', {
    headers: { 'Retry-After': String(Math.ceil(wait / 1_000)) },
  });
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
    ...rejection(deps.clock(), request, 'rate_limited', 'rate_limited', error),
    key_prefix: key.prefix,
  });
  throw new ServiceError(
    'rate_limited',
    `The key may make ${admission.limit} requests a minute. Send this one again after ${admission.resetSeconds} s, or raise its limit.`,
    { headers: rateLimitHeaders(admission) },
  );
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
