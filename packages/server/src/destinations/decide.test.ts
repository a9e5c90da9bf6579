import { DAY_MS } from '@ghostlight/core/time';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decide } from './decide.ts';
import { define } from './define.ts';
import { mappingKey, resolveEvent } from './gates.ts';
import type { ConsentState, Destination, EventMapping, EventRules } from './port.ts';
import { consentOf, contextOf, conversionOf, OCCURRED } from './testing.ts';

const RULES: EventRules = {
  label: 'Event name',
  pattern: /^[A-Za-z_]{1,20}$/,
  example: 'Purchase',
  choices: ['Purchase'],
  defaults: {
    purchase: { name: 'Purchase' },
    lead: 'needs_mapping',
    signup: { name: 'SignUp' },
    subscription: null,
    refund: { name: '{purchase}' },
    custom: { name: '{event_name}' },
  },
};
const of = (
  topic: keyof typeof RULES.defaults,
  mapping: EventMapping = {},
  eventName: string | null = null,
) => resolveEvent(RULES, mapping, { topic, eventName });

describe('resolveEvent', () => {
  it.each([
    ['the default', of('purchase'), { name: 'Purchase' }],
    ['what is mapped instead', of('purchase', { purchase: 'Order' }), { name: 'Order' }],
    ['what is turned off', of('purchase', { purchase: null }), { skip: 'turned_off' }],
    ['what has to be mapped', of('lead'), { skip: 'no_mapping' }],
    ['what had to be and is', of('lead', { lead: 'Lead' }), { name: 'Lead' }],
    ['what the platform has not', of('subscription'), { skip: 'unsupported_topic' }],
    [
      'what it has not, though mapped',
      of('subscription', { subscription: 'Sub' }),
      { skip: 'unsupported_topic' },
    ],
    ['a custom event’s own name', of('custom', {}, 'Trial started'), { name: 'Trial started' }],
    ['a custom event without one', of('custom'), { name: 'custom' }],
    ['all custom events mapped', of('custom', { custom: 'Other' }, 'Trial'), { name: 'Other' }],
    [
      'one custom event mapped',
      of('custom', { custom: 'Other', 'custom:Trial': 'Trial' }, 'Trial'),
      { name: 'Trial' },
    ],
    [
      'one turned off among mapped ones',
      of('custom', { custom: 'X', 'custom:Trial': null }, 'Trial'),
      { skip: 'turned_off' },
    ],
    ['a name from the prototype', of('custom', {}, 'constructor'), { name: 'constructor' }],
    ['a refund, as the purchase by default', of('refund'), { name: 'Purchase' }],
    ['a refund, as the purchase is mapped', of('refund', { purchase: 'Order' }), { name: 'Order' }],
    [
      'a refund mapped elsewhere, where it would count',
      of('refund', { refund: 'Other' }),
      { name: 'Purchase' },
    ],
    ['a refund turned off', of('refund', { refund: null }), { skip: 'turned_off' }],
    ['a refund of what is turned off', of('refund', { purchase: null }), { skip: 'turned_off' }],
  ])('knows %s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });

  it('refuses a custom event that bears the name of the platform’s event for another topic', () => {
    for (const name of ['Purchase', 'purchase', 'sign up', 'Sign-Up'])
      expect(of('custom', {}, name), name).toMatchObject({ skip: 'no_mapping', detail: expect.any(String) });
    expect(of('custom', { 'custom:purchase': 'Purchase' }, 'purchase')).toEqual({ name: 'Purchase' });
    expect(of('custom', {}, 'event name')).toEqual({ name: 'event name' });
  });

  it('does not let a stored name that fits no longer into a request', () => {
    expect(of('purchase', { purchase: 'a/../b' })).toMatchObject({ skip: 'no_mapping' });
  });

  it('keeps the key of a custom event apart from the topics', () => {
    expect(mappingKey('purchase')).toBe('custom:purchase');
    expect(of('purchase', { 'custom:purchase': null })).toEqual({ name: 'Purchase' });
  });
});

const config = z.object({ loud: z.boolean().default(false), days: z.int().default(7) });
type Config = z.infer<typeof config>;
const LIMITS = { maxBatch: 1, maxBytes: 1, maxFutureMs: 0, perMinute: null, timeoutMs: 1 };
const sample: Destination<Config> = {
  platform: 'webhook',
  title: '',
  summary: '',
  documentation: '',
  hosts: [],
  consent: ({ loud }) => (loud ? 'none' : 'advertising'),
  config,
  credentials: z.object({}),
  events: RULES,
  limits: ({ days }) => ({ ...LIMITS, maxAgeMs: days * DAY_MS }),
  guarantee: () => 'dedup',
  plainFields: [],
  map: (_conversion, _context, given, name) => ({ name, event: { loud: given.loud } }),
  build: (_events, given) => ({ method: 'POST', url: '', headers: {}, body: String(given.days) }),
  classify: (_response, events) => events.map(() => ({ kind: 'delivered' })),
  test: { kind: 'none', explanation: '' },
  buildTest: (_event, given) => ({ method: 'POST', url: '', headers: {}, body: String(given.days) }),
};
const destination = define(sample);
const SETTINGS = { config: {}, events: {} };

describe('decide', () => {
  it('asks for mapping, then consent, then age, then the platform', () => {
    const denied = contextOf({}, {}, consentOf('denied'));
    const late = OCCURRED + 8 * DAY_MS;
    const turnedOff = { config: {}, events: { purchase: null } };
    expect(decide(destination, turnedOff, conversionOf(), denied, late)).toEqual({ skip: 'turned_off' });
    expect(decide(destination, SETTINGS, conversionOf(), denied, late)).toEqual({ skip: 'consent_denied' });
    expect(decide(destination, SETTINGS, conversionOf(), contextOf(), late)).toEqual({ skip: 'too_old' });
    expect(decide(destination, SETTINGS, conversionOf(), contextOf(), OCCURRED)).toEqual({
      name: 'Purchase',
      event: { loud: false },
    });
  });

  it('keeps nothing back but what was denied, and that not where the config wants to tell of it', () => {
    const states: readonly ConsentState[] = ['granted', 'unknown', 'denied'];
    const sent = (settings: typeof SETTINGS) =>
      states.map(
        (state) =>
          'event' in
          decide(destination, settings, conversionOf(), contextOf({}, {}, consentOf(state)), OCCURRED),
      );
    expect(sent(SETTINGS)).toEqual([true, true, false]);
    expect(sent({ ...SETTINGS, config: { loud: true } })).toEqual([true, true, true]);
  });

  it('holds an analytics platform to consent to analytics', () => {
    const analytics = define({ ...sample, consent: 'analytics' });
    const said = (advertising: ConsentState, state: ConsentState) =>
      'event' in
      decide(
        analytics,
        SETTINGS,
        conversionOf(),
        { ...contextOf(), consent: { advertising, analytics: state, saleOfData: null } },
        OCCURRED,
      );
    expect([said('denied', 'granted'), said('granted', 'denied')]).toEqual([true, false]);
  });

  it('takes the age limit from the config, to the millisecond', () => {
    const settings = { config: { days: 2 }, events: {} };
    const at = (age: number) => decide(destination, settings, conversionOf(), contextOf(), OCCURRED + age);
    expect(at(2 * DAY_MS)).toHaveProperty('event');
    expect(at(2 * DAY_MS + 1)).toEqual({ skip: 'too_old' });
  });
});

describe('define', () => {
  it('takes a config as it is stored or as it was parsed, and fills in what it does not say', () => {
    const body = (given: unknown) =>
      destination.build([], given, { credentials: {}, accessToken: null, now: 0 }).body;
    expect([body({}), body({ days: 3 }), body(config.parse({ days: 4 }))]).toEqual(['7', '3', '4']);
    expect(destination.usualLimits().maxAgeMs).toBe(7 * DAY_MS);
    expect(destination.consentKind).toBe('configurable');
  });

  it('throws for a config that fits no longer, instead of sending by half of it', () => {
    expect(() => destination.limits({ days: 'many' })).toThrow(z.ZodError);
    expect(() => destination.limits(null)).toThrow(z.ZodError);
  });
});
