/** The room over a real database, with webhooks before it, a platform of the tests behind it, and visits that a test writes down. */

import { randomUUID } from 'node:crypto';
import type { Topic, Touch } from '@ghostlight/core';
import { DAY_MS, HOUR_MS } from '@ghostlight/core/time';
import { z } from 'zod';
import { DEFAULT_ORGANIZATION_ID, type Log, retentionLimits, type Scope } from '../common/index.ts';
import { createSecretCipher, type Database } from '../database/index.ts';
import type { TestDatabase } from '../database/testing.ts';
import { silentLog } from '../database/testing.ts';
import { type AnyDestination, type Destination, define } from '../destinations/index.ts';
import type { OutboundRequest, OutboundResponse, Send } from '../outbound/index.ts';
import { createProperties, type Property } from '../properties/index.ts';
import { createWebhooks, type Webhooks } from '../webhooks/index.ts';
import type { Visit } from './contexts.ts';
import { closeDestinations, createForwarding, type Forwarding } from './index.ts';

export const OURS: Scope = { kind: 'organization', id: DEFAULT_ORGANIZATION_ID };
/** 2026-11-21T03:00:00Z */
export const START = Date.UTC(2026, 10, 21, 3);
const SECRET = 'a secret of at least thirty-two characters';
const SKEW_MS = 5 * 60_000;
const WINDOW_MS = 5 * DAY_MS;

interface Config {
  readonly account: string;
  readonly test_mode: boolean;
}

/** Takes everything but refunds; leads count twice there, and custom events have to be mapped. */
export const testPlatform = (
  name: 'meta' | 'tiktok',
  kind: Destination['test']['kind'],
): Destination<Config> => ({
  platform: name,
  title: 'Test platform',
  summary: 'For tests.',
  documentation: 'https://platform.example/docs',
  hosts: ['platform.example'],
  consent: 'advertising',
  config: z.object({
    account: z
      .string()
      .regex(/^\d{1,20}$/, 'Must be digits.')
      .meta({ title: 'Account', examples: ['123'] }),
    test_mode: z.boolean().default(false),
  }) as unknown as Destination<Config>['config'],
  credentials: z.object({
    access_token: z.string().min(8, 'Is too short.').meta({ title: 'Access token' }),
    signing_secret: z.string().optional(),
  }),
  events: {
    label: 'Event name',
    pattern: /^[A-Z][A-Za-z]{0,49}$/,
    example: 'Purchase',
    choices: ['Purchase', 'Lead'],
    defaults: {
      purchase: { name: 'Purchase' },
      lead: { name: 'Lead' },
      signup: { name: 'Signup' },
      subscription: { name: 'Subscribe' },
      refund: name === 'meta' ? null : { name: 'Refund' },
      custom: 'needs_mapping',
    },
  },
  limits: {
    maxBatch: 100,
    maxBytes: 1_000_000,
    maxAgeMs: WINDOW_MS,
    maxFutureMs: HOUR_MS,
    perMinute: null,
    timeoutMs: 1_000,
  },
  guarantee: ({ topic }) => (topic === 'lead' ? 'at_most_once' : 'dedup'),
  plainFields: ['ip'],
  map: (conversion, context, config, event) => ({
    name: event,
    event: {
      event,
      account: config.account,
      id: conversion.conversionId,
      email: conversion.user?.email ?? null,
      ip: context.client?.ip ?? null,
      remaining: context.original?.remaining ?? null,
    },
    notes: context.client === null ? ['Without an address.'] : [],
  }),
  build: (events, config, auth) => ({
    method: 'POST',
    url: `https://platform.example/v1/${config.account}/events`,
    headers: {
      Authorization: `Bearer ${auth.credentials['access_token'] ?? ''}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ events }),
  }),
  classify: ({ status, body }, events) =>
    events.map(() => {
      if (status === 200) return { kind: 'delivered' };
      if (status === 400) return { kind: 'refused', code: 'bad_event', message: body };
      if (status === 401) return { kind: 'auth', code: 'bad_token', message: body };
      return { kind: 'retry', code: `http_${status}`, message: 'It failed.' };
    }),
  test: { kind, explanation: 'Look at the test view.' },
  buildTest: (event, config, auth, code) => ({
    method: 'POST',
    url: `https://platform.example/v1/${config.account}/events?validate=${code ?? 'yes'}`,
    headers: { Authorization: `Bearer ${auth.credentials['access_token'] ?? ''}` },
    body: JSON.stringify({ events: [event] }),
  }),
});

export const TEST_PLATFORMS: readonly AnyDestination[] = [
  define(testPlatform('meta', 'code')),
  define(testPlatform('tiktok', 'none')),
];
export const TOKEN = 'token-of-the-tests-0123456789';

export interface TestHome {
  readonly db: Database;
  readonly property: Property;
  readonly webhooks: Webhooks;
  readonly forwarding: Forwarding;
  /** What left, oldest first. */
  readonly sent: OutboundRequest[];
  /** What the platform answers from now on. */
  answer(response: Partial<OutboundResponse>): void;
  now(): number;
  /** Later by so many ms. */
  pass(ms: number): void;
  /** The visitor comes, at this moment, by a click. */
  visit(visitorId: string, touch?: Partial<Touch>, visit?: Partial<Visit>): void;
  /** @returns the conversion's id, `cnv_…` */
  post(topic: Topic, body: Record<string, unknown>): Promise<string>;
  connect(more?: Partial<Parameters<Forwarding['destinations']['create']>[2]>): Promise<string>;
  deliveries(): Promise<Awaited<ReturnType<Forwarding['deliveries']['list']>>['items']>;
  newProperty(scope?: Scope): Promise<Property>;
  deleteProperty(): Promise<void>;
  erase(visitorId: string): Promise<void>;
  /** The hourly job, as the service does it. */
  hourly(): Promise<void>;
  close(): Promise<void>;
}

export async function openHome(
  home: TestDatabase,
  options: {
    readonly secrets?: readonly [string, string | null];
    readonly log?: Log;
    readonly platforms?: readonly AnyDestination[];
    /** Instead of `answer`. */
    readonly send?: (request: OutboundRequest) => OutboundResponse;
  } = {},
): Promise<TestHome> {
  let now = START;
  let response: OutboundResponse = { status: 200, headers: {}, body: '{"ok":true}' };
  const clock = () => now;
  const log = options.log ?? silentLog;
  const db = await home.node();
  const cipher = createSecretCipher(...(options.secrets ?? [SECRET, null]));
  const touches = new Map<string, Touch[]>();
  const visits = new Map<string, Visit>();
  const sent: OutboundRequest[] = [];
  const send: Send = async (request) => {
    sent.push(request);
    return options.send?.(request) ?? response;
  };
  const forwarding = createForwarding({
    database: db,
    cipher,
    platforms: options.platforms ?? TEST_PLATFORMS,
    visits: {
      visitsOf: async (_db, _attributionId, wanted) =>
        new Map(
          wanted.flatMap(({ touchId }) => {
            const known = visits.get(touchId);
            return known === undefined ? [] : [[touchId, known] as const];
          }),
        ),
    },
    send,
    node: 'test-node',
    retentionDays: 400,
    rotating: options.secrets?.[1] !== undefined && options.secrets[1] !== null,
    clock,
    log,
  });
  const webhooks = createWebhooks({
    engineOf: () => null,
    database: db,
    cipher,
    matching: {
      touchesOf: async (_db, _attributionId, visitorId, at, lookbackMs) => {
        const known = touches.get(visitorId);
        return {
          known: known !== undefined,
          elsewhen: (known ?? []).length > 0,
          touches: (known ?? []).filter((touch) => touch.at >= at - lookbackMs && touch.at <= at + SKEW_MS),
        };
      },
    },
    onConversion: forwarding.onConversion,
    retention: retentionLimits({ retentionDays: 400, visitorRetentionDays: 180, dailyDays: 1_096 }),
    rotating: false,
    erase: async () => undefined,
    clock,
    log,
  });
  const properties = createProperties(db, {
    clock,
    onDelete: (trx, property) => closeDestinations(trx, property, clock()),
  });
  const newProperty = (scope: Scope = OURS) =>
    properties.create(scope, 'root', { name: 'Shop', domain: 'shop.example' });
  const property = await newProperty();
  await webhooks.settings.update(property, 'root', { enabled: true });
  const { key } = await webhooks.keys.issue(property, 'root', { name: 'Shop', rateLimit: 100_000 });

  return {
    ...{ db, property, webhooks, forwarding, sent, newProperty, now: clock },
    answer(changes) {
      response = { ...response, ...changes };
    },
    pass(ms) {
      now += ms;
    },
    visit(visitorId, touch = {}, visit = {}) {
      const made = testTouch({ id: randomUUID(), at: now, ...touch });
      touches.set(visitorId, [...(touches.get(visitorId) ?? []), made]);
      visits.set(made.id, {
        client: { ip: '203.0.113.7', userAgent: 'Browser/1' },
        firstSeen: now,
        consent: { advertising: null, analytics: null, saleOfData: null },
        region: null,
        ...visit,
      });
    },
    async post(topic, body) {
      const answer = await webhooks.receive({
        ...{ attributionId: property.id, topic, boundTo: null, ip: '198.51.100.7' },
        ...{ authorization: `Bearer ${key}`, idempotencyKey: undefined },
        readBody: async () => body,
      });
      return answer.body.id;
    },
    async connect(more = {}) {
      const { row } = await forwarding.destinations.create(property, 'root', {
        ...{ platform: 'meta', name: 'Shop', config: { account: '123' }, events: {} },
        credentials: { access_token: TOKEN },
        ...more,
      });
      return row.id;
    },
    deliveries: async () =>
      (
        await forwarding.deliveries.list(
          property,
          { from: 0, to: now + DAY_MS },
          { limit: 200, after: undefined },
        )
      ).items,
    deleteProperty: () => properties.delete(OURS, 'root', property.id),
    async erase(visitorId) {
      await db.kysely.transaction().execute(async (trx) => {
        await forwarding.eraseVisitor(trx, property, { visitors: [visitorId], conversions: [] });
        await webhooks.eraseVisitor(trx, property, { visitors: [visitorId], conversions: [] });
      });
    },
    async hourly() {
      await forwarding.forgetOld();
      await webhooks.forgetOld();
    },
    async close() {
      await forwarding.close();
      await webhooks.close();
    },
  };
}

function testTouch(touch: Partial<Touch>): Touch {
  return {
    ...{ id: 'touch', at: 0, sessionId: 'session', landing: { host: 'shop.example', path: '/lamp' } },
    ...{ referrerHost: '', utm: {}, clickIds: { gclid: 'Abc' }, browserIds: {} },
    ...{ channel: 'paid_search', platform: 'google', paid: true, conflict: false },
    ...{ source: 'google', medium: 'cpc', campaign: 'autumn' },
    ...touch,
  };
}

/** A customer's order. */
export const order = (id: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  conversion_id: id,
  value: '99.90',
  currency: 'EUR',
  visitor_id: 'visitor-1',
  user_data: { email: 'jane@shop.example', address: { country: 'US' } },
  ...more,
});
