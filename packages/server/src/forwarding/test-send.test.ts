import { HOUR_MS } from '@ghostlight/core/time';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../common/index.ts';
import { createSecretCipher } from '../database/index.ts';
import { openTestDatabases, type TestDatabase } from '../database/testing.ts';
import { DESTINATIONS, define, type MatchContext, SKIP_REASONS } from '../destinations/index.ts';
import { catalogueEntry } from './catalogue.ts';
import { sampleContext, sampleConversion } from './sample.ts';
import { platformsSchema } from './schemas.ts';
import type { TestSendRequest } from './test-send.ts';
import { openHome, order, START, type TestHome, TOKEN, testPlatform } from './testing.ts';
import { createVault } from './vault.ts';

const databases = await openTestDatabases();
afterAll(() => databases.close());

describe.each(databases.backends)('trying a destination on $name', (backend) => {
  let database: TestDatabase;
  let home: TestHome;
  beforeEach(async () => {
    database = await backend.fresh();
    home = await openHome(database);
  });
  afterEach(async () => {
    await home.close();
    await database.remove();
  });
  const attempt = (id: string, asked: Partial<TestSendRequest> = {}) =>
    home.forwarding.test(home.property, 'root', id, { topic: 'purchase', code: null, live: false, ...asked });
  const audits = async () =>
    (
      await home.db.reader
        .selectFrom('audit_log')
        .select('action')
        .where('action', 'like', 'destination.tested%')
        .execute()
    ).map(({ action }) => action);

  it('goes through the platform’s test view, and is shown masked', async () => {
    const id = await home.connect();
    home.answer({ status: 200, body: `seen, ${TOKEN}` });
    const trial = await attempt(id, { code: 'TEST42' });
    expect(trial).toMatchObject({
      ...{ mode: 'code', sent: true, eventName: 'Purchase', skip: null },
      request: {
        method: 'POST',
        url: 'https://platform.example/v1/123/events?validate=TEST42',
        headers: { Authorization: 'Bearer •••' },
      },
      response: { status: 200, body: 'seen, •••' },
      verdict: { kind: 'delivered', code: null, message: null },
      explanation: 'Look at the test view.',
    });
    expect(JSON.stringify(trial)).not.toContain('test@example.com');
    expect(home.sent).toHaveLength(1);
    expect(home.sent[0]?.body).toContain('test@example.com');
    expect(await audits()).toEqual(['destination.tested']);
    // Nothing of it is a delivery.
    expect(await home.deliveries()).toEqual([]);
  });

  it('needs the code by which the platform shows it', async () => {
    const id = await home.connect();
    const error = await attempt(id).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).errors).toEqual([{ pointer: '/code', message: expect.any(String) }]);
    expect(home.sent).toEqual([]);
  });

  it('is only shown where the platform has no way of testing, and counts when it is asked to', async () => {
    const id = await home.connect({ platform: 'tiktok' });
    expect(await attempt(id)).toMatchObject({
      ...{ mode: 'shown', sent: false, response: null, verdict: null },
      request: { url: 'https://platform.example/v1/123/events?validate=yes' },
    });
    expect([home.sent, await audits()]).toEqual([[], []]);
    // Not what the platform's own test would do.
    const explanation = expect.stringMatching(/^This was a real event/);
    expect(await attempt(id, { live: true })).toMatchObject({ mode: 'live', sent: true, explanation });
    expect(home.sent[0]?.url).toBe('https://platform.example/v1/123/events');
    expect(await audits()).toEqual(['destination.tested_live']);
  });

  it('says what the platform has against it', async () => {
    const id = await home.connect();
    home.answer({ status: 401, body: `wrong token ${TOKEN}` });
    expect((await attempt(id, { code: 'T' })).verdict).toEqual({
      ...{ kind: 'auth', code: 'bad_token', message: 'wrong token •••' },
    });
    expect(await attempt(id, { topic: 'custom', code: 'T' })).toMatchObject({
      ...{ sent: false, request: null },
      skip: { reason: 'no_mapping', message: SKIP_REASONS.no_mapping },
    });
    expect(await attempt(id, { topic: 'refund', code: 'T' })).toMatchObject({
      skip: { reason: 'unsupported_topic' },
    });
    // A test counts as no failure: no alarm, no breaker.
    const { row } = await home.forwarding.destinations.get(home.property, id);
    expect(row).toMatchObject({ alarm: null, failures: 0 });
  });
});

describe.each(databases.backends)('trying a destination with OAuth on $name', (backend) => {
  let database: TestDatabase;
  let home: TestHome;
  /** How many tokens the platform has given out, and the first that it still takes. */
  let issued: number;
  let first: number;
  beforeEach(async () => {
    [issued, first] = [0, 1];
    database = await backend.fresh();
    const platform = define({
      ...testPlatform('meta', 'code'),
      oauth: {
        tokenRequest: () => ({ ...at('/token'), headers: {}, body: '' }),
        readToken: ({ body }) => ({ accessToken: body, expiresInMs: HOUR_MS }),
      },
      build: (_events, _config, { accessToken }) => ({ ...at('/events'), ...bearer(accessToken), body: '' }),
      buildTest: (_event, _config, { accessToken }) => ({ ...at('/test'), ...bearer(accessToken), body: '' }),
    });
    home = await openHome(database, {
      platforms: [platform],
      send({ url, headers }) {
        if (url === at('/token').url) {
          issued += 1;
          return { status: 200, headers: {}, body: String(issued) };
        }
        const token = Number(headers['authorization']?.slice('Bearer '.length));
        return { status: token >= first ? 200 : 401, headers: {}, body: '' };
      },
    });
  });
  afterEach(async () => {
    await home.close();
    await database.remove();
  });
  const at = (path: string) => ({ method: 'POST' as const, url: `https://platform.example${path}` });
  const bearer = (token: string | null) => ({ headers: { authorization: `Bearer ${token}` } });
  const attempt = (id: string) =>
    home.forwarding.test(home.property, 'root', id, { topic: 'purchase', code: 'T', live: false });
  const asked = () => home.sent.map(({ url }) => new URL(url).pathname);

  it('uses the token that deliveries go with', async () => {
    const id = await home.connect();
    home.visit('visitor-1');
    await home.post('purchase', order('1'));
    await home.forwarding.runOnce();
    expect(await attempt(id)).toMatchObject({ verdict: { kind: 'delivered' } });
    expect(asked()).toEqual(['/token', '/events', '/test']);
  });

  it('takes another token where the platform ended the one that is kept, and says so of no other', async () => {
    const id = await home.connect();
    await attempt(id);
    first = 2;
    expect(await attempt(id)).toMatchObject({ verdict: { kind: 'delivered' } });
    expect(asked()).toEqual(['/token', '/test', '/test', '/token', '/test']);
    first = Number.POSITIVE_INFINITY;
    home.pass(2 * HOUR_MS);
    expect(await attempt(id)).toMatchObject({ verdict: { kind: 'auth' } });
    expect(asked().slice(5)).toEqual(['/token', '/test']);
  });
});

/** Where there are two ways of signing in, one of them. */
const EITHER: Readonly<Record<string, object>> = {
  google_ads: { client_id: 'client-id', client_secret: 'client-secret', refresh_token: 'refresh-token' },
  linkedin: { access_token: 'access-token' },
};

/** What a form contains after it has been filled in with its examples. */
function example(schema: { properties?: Record<string, unknown>; required?: string[] }): object {
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const { examples, enum: choices, default: standard } = member as Record<string, unknown[] | undefined>;
    const value = examples?.[0] ?? standard ?? choices?.[0];
    return value === undefined || !(schema.required ?? []).includes(name) ? [] : [[name, value]];
  });
  return Object.fromEntries(members);
}

describe.each(DESTINATIONS.map((platform) => [platform.platform, platform] as const))(
  '%s',
  (_name, platform) => {
    const entry = catalogueEntry(platform);

    it('is in the catalogue, with all that a form needs', () => {
      expect(platformsSchema.parse({ items: [JSON.parse(JSON.stringify(entry))] })).toBeTruthy();
      for (const schema of [entry.config_schema, entry.credentials_schema]) {
        const { type, properties = {} } = schema as {
          type: string;
          properties?: Record<string, { title?: string }>;
        };
        expect(type).toBe('object');
        for (const [name, member] of Object.entries(properties)) expect(member.title, name).toBeTruthy();
      }
      expect(new RegExp(entry.events.pattern, platform.events.pattern.flags).test(entry.events.example)).toBe(
        true,
      );
    });

    it('takes its own examples, and the sample as a test', () => {
      const config = platform.config.parse(example(entry.config_schema));
      const entered = { ...example(entry.credentials_schema), ...EITHER[platform.platform] };
      const credentials = platform.credentials.parse(entered) as Record<string, string>;
      const vault = createVault(
        createSecretCipher('a secret of at least thirty-two characters'),
        DESTINATIONS,
      );
      const events =
        entry.events.defaults.purchase.kind === 'needs_mapping' ? { purchase: entry.events.example } : {};
      const row = {
        ...{ id: 'dst_1', organization_id: '', attribution_id: '', platform: platform.platform, name: '' },
        ...{
          config: JSON.stringify(config),
          credentials: vault.seal('dst_1', credentials),
          credentials_at: 0,
        },
        ...{ events: JSON.stringify(events), paused: 0, alarm: null, not_before: null, failures: 0 },
        ...{ revision: 1, created_at: 0, updated_at: 0, deleted_at: null },
      };
      const bound = vault.open(row);
      const conversion = sampleConversion('purchase', '00000000-0000-4000-8000-000000000000', START);
      const context: MatchContext = sampleContext(conversion, 'shop.example');
      const decided = bound.decide(conversion, context, START);
      if ('skip' in decided) throw new Error(`skipped: ${decided.skip} ${decided.detail ?? ''}`);
      const request = bound.buildTest(
        decided.event,
        { credentials, accessToken: 'access-token', now: START },
        'TEST1',
      );
      const host = new URL(request.url).hostname;
      expect(platform.hosts.length === 0 || platform.hosts.includes(host)).toBe(true);
    });
  },
);
