import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { define } from '../define.ts';
import { sha256Hex } from '../identifiers/index.ts';
import type { Verdict } from '../port.ts';
import {
  answerOf,
  authOf,
  consentOf,
  contextOf,
  conversionOf,
  eventOf,
  OCCURRED,
  PERSON,
} from '../testing.ts';
import { exampleOf } from '../testing-samples.ts';
import { classify } from './classify.ts';
import { config } from './config.ts';
import { meta } from './index.ts';

const CONFIG = config.parse(exampleOf(config));
const mapped = (changes = {}, context = contextOf(), given = CONFIG, name = 'Purchase') =>
  meta.map(conversionOf(changes), context, given, name);

describe('an event', () => {
  it('is a website’s where browser and page are known, and says less where not', () => {
    expect(eventOf(mapped())).toMatchObject({ action_source: 'website', event_time: OCCURRED / 1000 });
    const unknown = mapped({}, contextOf({}, {}, { client: null }));
    expect(eventOf(unknown)).toMatchObject({ action_source: 'system_generated' });
    expect(unknown).toMatchObject({ notes: [expect.stringContaining('browser')] });
  });

  it('has its time in whole seconds, never in the future', () => {
    expect(eventOf(mapped({ occurredAt: OCCURRED + 999 }))['event_time']).toBe(OCCURRED / 1000);
  });

  it('limits the use of data after an objection to a sale, and always where the setting says so', () => {
    const ldu = {
      data_processing_options: ['LDU'],
      data_processing_options_country: 0,
      data_processing_options_state: 0,
    };
    expect(eventOf(mapped({}, contextOf({}, {}, consentOf('granted', false))))).toMatchObject(ldu);
    expect(eventOf(mapped({}, contextOf(), { ...CONFIG, limited_data_use: true }))).toMatchObject(ldu);
    expect(eventOf(mapped())).not.toHaveProperty('data_processing_options');
  });

  it('is no purchase without a value, but any other event', () => {
    const worthless = { value: null, currency: null };
    expect(mapped(worthless)).toEqual({ skip: 'missing_value' });
    expect(mapped(worthless, contextOf(), CONFIG, 'Lead')).toHaveProperty('event');
    expect(eventOf(mapped({ value: '0' }))).toMatchObject({ custom_data: { value: 0, currency: 'USD' } });
  });

  it('needs one thing at least by which Meta can match a person', () => {
    const nobody = contextOf({}, {}, { visitorId: null, client: null });
    const placed = { ...PERSON, email: null, phone: null };
    expect(mapped({ user: placed }, nobody)).toEqual({ skip: 'no_identifier' });
    expect(mapped({ user: null }, { ...nobody, visitorId: 'v-1' })).toHaveProperty('event');
  });

  it('names city and post code in both of their spellings, each once', () => {
    const address = {
      street: null,
      city: 'Bad Kötzting',
      region: null,
      postalCode: 'SW1A 1AA',
      country: 'DE',
      extra: {},
    };
    const of = (more: object) =>
      eventOf(mapped({ user: { ...PERSON, address: { ...address, ...more } } }))['user_data'];
    expect(of({})).toMatchObject({
      ct: [sha256Hex('badktzting'), sha256Hex('badkotzting')],
      zp: [sha256Hex('sw1a 1aa'), sha256Hex('sw1a1aa')],
    });
    expect(of({ city: 'Berlin', postalCode: '10115' })).toMatchObject({
      ct: [sha256Hex('berlin')],
      zp: [sha256Hex('10115')],
    });
  });

  it('says which number it had to leave out', () => {
    const unusable = mapped({ user: { ...PERSON, phone: '555-1212', address: null } });
    expect(eventOf(unusable)['user_data']).not.toHaveProperty('ph');
    expect(unusable).toMatchObject({ notes: [expect.stringContaining('telephone number')] });
    expect(mapped({ user: { ...PERSON, phone: null } })).toMatchObject({ notes: [] });
    expect(mapped({ user: { ...PERSON, phone: 'a'.repeat(64) } })).toMatchObject({ notes: [] });
  });

  it('leaves out a browser id that is not one of Meta’s', () => {
    const user = eventOf(mapped({}, contextOf({}, { _fbp: '"><script>' })))['user_data'];
    expect(user).not.toHaveProperty('fbp');
  });
});

describe('a request', () => {
  const auth = authOf({ access_token: 'EAAtoken', app_secret: 's3cret' });

  it('has token and proof in its body, and neither in its address', () => {
    const request = meta.build([{ event_name: 'Lead' }], CONFIG, auth);
    expect(request.url).toBe('https://graph.facebook.com/v25.0/1234567890123456/events');
    expect(JSON.parse(request.body ?? '')).toEqual({
      data: [{ event_name: 'Lead' }],
      access_token: 'EAAtoken',
      appsecret_proof: createHmac('sha256', 's3cret').update('EAAtoken').digest('hex'),
    });
    expect(meta.build([{}], CONFIG, authOf({ access_token: 't' })).body).not.toContain('appsecret_proof');
  });

  it('is a test by the code of Meta’s test view', () => {
    expect(JSON.parse(meta.buildTest({}, CONFIG, auth, 'TEST123').body ?? '')).toMatchObject({
      test_event_code: 'TEST123',
    });
  });
});

const error = (code: number, more = {}) => ({ error: { code, message: 'Words', ...more } });
const kinds = (status: number, body: unknown, events = [{}, {}]): string[] =>
  classify(answerOf(status, body), events).map(({ kind }) => kind);

describe('an answer', () => {
  it.each<[string, number, unknown, Verdict['kind']]>([
    ['received', 200, { events_received: 2, messages: [], fbtrace_id: 'A' }, 'delivered'],
    ['nothing that says so', 200, {}, 'retry'],
    ['token expired', 400, error(190), 'auth'],
    ['token expired, as 401', 401, error(190, { type: 'OAuthException' }), 'auth'],
    ['no body', 401, '', 'auth'],
    ['permission denied', 403, error(10), 'auth'],
    ['permission missing', 403, error(200), 'auth'],
    ['permission missing, highest', 403, error(299), 'auth'],
    ['permission of the application', 400, error(294), 'auth'],
    ['capability missing', 400, error(3), 'config'],
    ['no such dataset', 400, error(100, { error_subcode: 33 }), 'config'],
    ['version retired', 400, error(2635), 'config'],
    ['too old', 400, error(100, { error_subcode: 2804003 }), 'bisect'],
    ['no value', 400, error(100, { error_subcode: 2804009 }), 'bisect'],
    ['parameter invalid', 400, error(100), 'bisect'],
    ['parameter missing', 400, error(34), 'bisect'],
    ['app limit', 400, error(4), 'throttled'],
    ['user limit', 400, error(17), 'throttled'],
    ['limit reached', 400, error(341), 'throttled'],
    ['rate limit', 400, error(613), 'throttled'],
    ['business limit', 400, error(80003), 'throttled'],
    ['missing permission', 400, error(100, { message: '(#100) Missing Permission' }), 'auth'],
    ['no such alias', 400, error(803), 'config'],
    ['unknown error', 500, error(1), 'retry'],
    ['service away', 503, error(2, { is_transient: true }), 'retry'],
    ['blocked for a while', 400, error(368), 'retry'],
    ['transient by its own word', 400, error(99_999, { is_transient: true }), 'retry'],
    ['an unknown error', 400, error(424_242), 'retry'],
    ['a proxy’s page', 502, '<html>', 'retry'],
  ])('%s (%s)', (_what, status, body, kind) => {
    expect(kinds(status, body)).toEqual([kind, kind]);
  });

  it('refuses a single event instead of halving it, by the codes that Meta gives', () => {
    const [verdict] = classify(
      answerOf(400, error(100, { error_subcode: 2804003, error_user_msg: 'Too old for a@b.example' })),
      [{}],
    );
    expect(verdict).toEqual({ kind: 'refused', code: '100/2804003', message: 'Too old for ***' });
  });

  it('waits as long as Meta asks for', () => {
    const usage = JSON.stringify({
      1234: [{ type: 'ads_insights', estimated_time_to_regain_access: 5 }],
      99: 'x',
    });
    const response = { ...answerOf(400, error(80004)), headers: { 'x-business-use-case-usage': usage } };
    expect(classify(response, [{}])).toMatchObject([
      { kind: 'throttled', scope: 'minute', afterMs: 300_000 },
    ]);
    expect(classify(answerOf(400, error(80004)), [{}])[0]).not.toHaveProperty('afterMs');
  });
});

it('takes no id, version or event name that could leave its place', () => {
  const example = exampleOf(config);
  for (const pixel_id of ['12345/../', '1234', 'abc', '12345?x', '１２３４５'])
    expect(config.safeParse({ ...example, pixel_id }).success).toBe(false);
  for (const api_version of ['25.0', 'v25', 'v25.0/me', 'latest'])
    expect(config.safeParse({ ...example, api_version }).success).toBe(false);
  expect(define(meta).events.pattern.test('Trial started')).toBe(true);
  expect(define(meta).events.pattern.test('x'.repeat(51))).toBe(false);
});
