/** The management API and everything else that is served besides ingest, from outside: who is let in, what is refused and how. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pathOf, SOURCE_NAMES } from '../../packages/server/src/sources/index.ts';
import { expectConservation } from '../harness/conservation.ts';
import { readEvents } from '../harness/events.ts';
import { expectQuick } from '../harness/quick.ts';
import { ADMIN_TOKEN, type Answer, TestService, workerHit } from '../harness/service.ts';

const BEARER = { Authorization: `Bearer ${ADMIN_TOKEN}` };
const JSON_TYPE = { 'Content-Type': 'application/json' };

// Behind a proxy that says who is asking: guesses are slowed per address, and the walk below makes many.
const service = new TestService({ TRUST_PROXY: '1' });
let property: { id: string; key: string; keyId: string };

beforeAll(async () => {
  await service.start();
  property = await service.property();
});
afterAll(async () => {
  await service.dispose();
});

interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: { pointer: string; message: string }[];
}

function expectProblem(answer: Answer, status: number): Problem {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  const problem = answer.body as Problem;
  expect(problem).toMatchObject({ status, type: expect.any(String), title: expect.any(String) });
  expect(problem.detail.length).toBeGreaterThan(10);
  return problem;
}

interface Operation {
  method: string;
  path: string;
  open: boolean;
  hasBody: boolean;
}

async function operations(): Promise<Operation[]> {
  const { body } = await service.call('GET', '/api/v1/openapi.json');
  const { paths } = body as {
    paths: Record<string, Record<string, { security?: unknown[]; requestBody?: unknown }>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.replace('{id}', property.id),
      open: security?.length === 0,
      hasBody: requestBody !== undefined,
    })),
  );
}

async function postHit(overrides: Record<string, unknown>): Promise<void> {
  expect((await service.hits(property.key, [workerHit(overrides)])).status).toBe(204);
}

describe('who is let in', () => {
  it('asks every documented route for credentials, except the ones that are open to all', async () => {
    const all = await operations();
    expect(all.length).toBeGreaterThan(15);
    expect(
      all
        .filter(({ open }) => open)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ).toEqual([
      'DELETE /api/v1/session',
      'GET /api/v1/domains/ask',
      'GET /api/v1/oidc/callback',
      'GET /api/v1/oidc/start',
      'GET /api/v1/sign-in-options',
      'GET /api/v1/webmcp/{attribution_id}/jwks.json',
      'GET /api/v1/webmcp/{attribution_id}/manifest',
      'GET /api/v1/webmcp/{attribution_id}/manifest/',
      'GET /share/unsubscribe/{token}',
      'GET /share/{token}/chart.svg',
      'GET /v1/config/ai-bots',
      'POST /api/events',
      'POST /api/v1/invitations/accept',
      'POST /api/v1/links/inspect',
      'POST /api/v1/password-resets',
      'POST /api/v1/password-resets/complete',
      'POST /api/v1/session',
      'POST /api/v1/share/open',
      'POST /api/v1/welcome',
      'POST /share/unsubscribe/{token}',
      ...SOURCE_NAMES.map((name) => `POST ${pathOf(name)}`).sort(),
    ]);
    for (const [index, { method, path, open, hasBody }] of all.entries()) {
      // A webhook has a key of its own, asked for after whether the property receives anything at all (404).
      if (open || path.startsWith('/webhooks/')) continue;
      for (const headers of [{}, { Authorization: 'Bearer wrong' }, { Authorization: ADMIN_TOKEN }]) {
        const answer = await service.call(method, path, {
          headers: { ...headers, ...JSON_TYPE, 'X-Forwarded-For': `198.51.100.${index % 250}` },
          ...(hasBody ? { body: '{"not": "looked at"}' } : {}),
        });
        expectProblem(answer, 401);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      }
    }
  });

  it('asks before it tells whether a path exists', async () => {
    expectProblem(await service.call('GET', '/api/v1/no-such-thing'), 401);
    expectProblem(await service.api('GET', '/api/v1/no-such-thing'), 404);
  });

  it('shows nothing of other organizations when it is narrowed to one', async () => {
    const other = randomUUID();
    for (const path of ['/api/v1/properties', '/api/v1/ingest-keys']) {
      expect((await service.api('GET', `${path}?organization=${other}`)).body).toEqual({ items: [] });
      expect((await service.api('GET', path)).body).not.toEqual({ items: [] });
    }
    expectProblem(await service.api('GET', `/api/v1/properties/${property.id}?organization=${other}`), 404);
    const rename = { name: 'Stolen' };
    expectProblem(
      await service.api('PATCH', `/api/v1/properties/${property.id}?organization=${other}`, rename),
      404,
    );
    expectProblem(
      await service.api('DELETE', `/api/v1/properties/${property.id}?organization=${other}`),
      404,
    );
    expectProblem(
      await service.api('DELETE', `/api/v1/ingest-keys/${property.keyId}?organization=${other}`),
      404,
    );
    expect((await service.hits(property.key, [])).status).toBe(204);
  });

  it('lets a browser sign in, use its cookie from its own pages alone, and sign out', async () => {
    const post = (token: string, headers: Record<string, string> = {}) =>
      service.call('POST', '/api/v1/session', {
        headers: { ...JSON_TYPE, ...headers },
        body: JSON.stringify({ token }),
      });
    expectProblem(await post('wrong-token-of-somebody'), 401);
    expectProblem(await post(ADMIN_TOKEN, { Origin: 'https://evil.example' }), 403);
    const signedIn = await post(ADMIN_TOKEN, { Origin: service.address });
    expect(signedIn.status).toBe(200);
    const setCookie = signedIn.headers.get('set-cookie') ?? '';
    expect(setCookie).toMatch(/; HttpOnly/);
    expect(setCookie).toMatch(/; SameSite=(Lax|Strict)/);
    expect(setCookie).not.toContain(ADMIN_TOKEN);
    const Cookie = setCookie.split(';', 1)[0] ?? '';

    expect((await service.call('GET', '/api/v1/session', { headers: { Cookie } })).status).toBe(200);
    expect((await service.call('GET', '/api/v1/properties', { headers: { Cookie } })).status).toBe(200);
    const create = (headers: Record<string, string>) =>
      service.call('POST', '/api/v1/properties', {
        headers: { Cookie, ...headers },
        body: JSON.stringify({ name: 'By cookie', domain: 'cookie.example' }),
      });
    expectProblem(await create(JSON_TYPE), 403);
    expectProblem(await create({ ...JSON_TYPE, Origin: 'https://evil.example' }), 403);
    expectProblem(await create({ 'Content-Type': 'text/plain', Origin: service.address }), 403);
    expect((await create({ ...JSON_TYPE, Origin: service.address })).status).toBe(201);

    const signOut = (headers: Record<string, string>) =>
      service.call('DELETE', '/api/v1/session', { headers: { Cookie, ...headers } });
    expectProblem(await signOut({ Origin: 'https://evil.example' }), 403);
    expect((await signOut({ Origin: service.address })).status).toBe(204);
    expectProblem(await service.call('GET', '/api/v1/session', { headers: { Cookie } }), 401);
  });
});

describe('what is refused, and how', () => {
  it('compresses reports for those who take it, and nothing that may hold a secret', async () => {
    const overview = `/api/v1/properties/${property.id}/reports/overview`;
    const [packed, plain, keys] = await Promise.all([
      service.call('GET', overview, { headers: { ...BEARER, 'Accept-Encoding': 'gzip' } }),
      service.call('GET', overview, { headers: { ...BEARER, 'Accept-Encoding': 'identity' } }),
      service.call('GET', '/api/v1/ingest-keys', { headers: { ...BEARER, 'Accept-Encoding': 'gzip' } }),
    ]);
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('vary')).toContain('Accept-Encoding');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(packed.body).toEqual(plain.body);
    expect(keys.headers.get('content-encoding')).toBeNull();
  });

  it('answers 404 for unknown ids', async () => {
    const id = randomUUID();
    for (const [method, path] of [
      ['GET', `/api/v1/properties/${id}`],
      ['DELETE', `/api/v1/properties/${id}`],
      ['GET', `/api/v1/properties/${id}/live`],
      ['GET', `/api/v1/properties/${id}/live/stream`],
      ['GET', `/api/v1/properties/${id}/hits`],
      ['GET', `/api/v1/properties/${id}/setup`],
      ['GET', `/api/v1/properties/${id}/quarantine`],
      ['DELETE', `/api/v1/ingest-keys/${id}`],
    ] as const) {
      expectProblem(await service.api(method, path), 404);
    }
    expectProblem(await service.api('PATCH', `/api/v1/properties/${id}`, { name: 'x' }), 404);
  });

  it('names every wrong member with a pointer', async () => {
    const property422 = expectProblem(await service.api('POST', '/api/v1/properties', { name: '' }), 422);
    expect(property422.errors?.map(({ pointer }) => pointer).sort()).toEqual(['/domain', '/name']);
    const key422 = expectProblem(
      await service.api('POST', '/api/v1/ingest-keys', {
        name: 'x'.repeat(101),
        provider: 'carrier_pigeon',
        attribution_id: 'x',
      }),
      422,
    );
    expect(key422.errors?.map(({ pointer }) => pointer).sort()).toEqual([
      '/attribution_id',
      '/name',
      '/provider',
    ]);
    const foreign = { name: 'x', provider: 'edge_worker', attribution_id: randomUUID() };
    expectProblem(await service.api('POST', '/api/v1/ingest-keys', foreign), 422);
    expectProblem(await service.api('GET', '/api/v1/properties/not-a-uuid'), 422);
    const live = `/api/v1/properties/${property.id}/live`;
    for (const query of [
      'limit=0',
      'limit=x',
      'class=bird',
      'after=yesterday',
      'verified=maybe',
      'source=x',
    ]) {
      const problem = expectProblem(await service.api('GET', `${live}?${query}`), 422);
      expect(problem.errors?.[0]?.pointer).toBe(`/${query.split('=')[0]}`);
    }
  });

  it('answers 400 for what is no JSON, and 413 for what is too much', async () => {
    const post = (body: string, headers: Record<string, string> = JSON_TYPE) =>
      service.call('POST', '/api/v1/properties', { headers: { ...BEARER, ...headers }, body });
    expectProblem(await post('{"name":'), 400);
    expectProblem(await post(''), 400);
    const large = await post(JSON.stringify({ name: 'x'.repeat(1_100_000) }));
    expectProblem(large, 413);
    expect(large.headers.get('connection')).toBe('close');
    const wrongType = await post('name=x', { 'Content-Type': 'application/x-www-form-urlencoded' });
    expect([400, 422]).toContain(wrongType.status);
    expect(wrongType.headers.get('content-type')).toContain('problem+json');
  });

  it('names each request in its answer; ingest in the header alone, a change in the audit log too', async () => {
    const named = (id: string) => ({ ...BEARER, ...JSON_TYPE, 'X-Request-Id': id });
    const made = await service.call('POST', '/api/v1/properties', {
      headers: named('made-by.a_test'),
      body: JSON.stringify({ name: 'Named', domain: 'named.example' }),
    });
    expect([made.status, made.headers.get('x-request-id')]).toEqual([201, 'made-by.a_test']);
    const audit = await service.api('GET', '/api/v1/organization/audit?action=property.created&limit=1');
    expect(audit.body).toMatchObject({ items: [{ request_id: 'made-by.a_test' }] });

    const missing = await service.call('GET', `/api/v1/properties/${randomUUID()}`, {
      headers: named('m-1'),
    });
    expect(expectProblem(missing, 404)).toMatchObject({ request_id: 'm-1' });
    const kept = await service.call('POST', '/v1/logs/edge_worker', {
      headers: { 'X-API-Key': property.key, 'X-Request-Id': 'hit-1' },
      body: JSON.stringify([workerHit()]),
    });
    expect([kept.status, kept.body, kept.headers.get('x-request-id')]).toEqual([204, '', 'hit-1']);
    const refused = await service.call('POST', '/v1/logs/edge_worker', { body: '[]' });
    expect(Object.keys(expectProblem(refused, 401))).toEqual(['type', 'title', 'status', 'detail']);
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('answers 405 at ingest for other methods, and says which one is taken', async () => {
    for (const path of ['/v1/logs/edge_worker', '/v1/logs/edge_logpush']) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await service.call(method, path);
        expectProblem(answer, 405);
        expect(answer.headers.get('allow')).toBe('POST');
      }
    }
  });

  it('answers 404 with a sentence at wrong paths, and shows the owner of the key what went wrong', async () => {
    for (const path of ['/v1/logs/edge_worker/', '/v1/logs/edge_workers', '/v1/logs', '/webhooks/x']) {
      const headers = { 'X-API-Key': property.key };
      expectProblem(await service.call('POST', path, { headers, body: '[]' }), 404);
    }
    const { body } = await service.api('GET', `/api/v1/properties/${property.id}/setup`);
    const codes = (body as { findings: { code: string; title: string; action: string }[] }).findings;
    expect(JSON.stringify(codes)).toMatch(/trailing slash/i);
    expect(codes.every(({ action }) => action.length > 0)).toBe(true);
  });
});

describe('the bot list', () => {
  const path = '/v1/config/ai-bots';

  it('is open to every origin, by GET, HEAD and OPTIONS', async () => {
    const get = await service.call('GET', path);
    expect(get.headers.get('access-control-allow-origin')).toBe('*');
    expect(get.headers.get('cache-control')).toBe('public, max-age=3600');
    const head = await service.call('HEAD', path);
    expect(head.status).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    const options = await service.call('OPTIONS', path, {
      headers: { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'GET' },
    });
    expect(options.status).toBe(204);
    expect(options.headers.get('access-control-allow-methods')).toContain('GET');
    expect(get.body).toMatchObject({
      version: expect.any(Number),
      ai_referrer_domains: expect.arrayContaining(['chatgpt.com']),
      verifiable_engines: ['google', 'openai', 'perplexity'],
    });
  });

  it('takes a bot of the installation’s own from those who run it, serves it, and drops it', async () => {
    const bots = '/api/v1/lists/custom-bots';
    const fields = { token: ' House/Bot-2 ', name: 'House Bot', vendor: 'Us', intent: 'search' };
    const added = await service.api('POST', bots, fields);
    expect([added.status, added.body]).toEqual([
      201,
      { ...fields, token: 'house/bot-2', added_at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    expect((await service.api('GET', bots)).body).toEqual({ items: [added.body] });
    const served = async () => {
      const { body } = await service.call('GET', path);
      return (body as { bot_patterns: { pattern: string; custom?: boolean }[] }).bot_patterns.filter(
        ({ custom }) => custom === true,
      );
    };
    expect(await served()).toMatchObject([{ pattern: 'house/bot-2', bot_name: 'House Bot' }]);
    expect(expectProblem(await service.api('POST', bots, fields), 422).detail).toContain('already');
    expect(expectProblem(await service.api('POST', bots, { ...fields, token: 'bot' }), 422).detail).toContain(
      'too short',
    );
    expect(
      expectProblem(await service.api('POST', bots, { ...fields, intent: 'spying' }), 422).errors,
    ).toMatchObject([{ pointer: '/intent' }]);
    const own = `${bots}/${encodeURIComponent('house/bot-2')}`;
    expectProblem(await service.call('DELETE', own), 401);
    expect((await service.api('DELETE', own)).status).toBe(204);
    expectProblem(await service.api('DELETE', own), 404);
    expect([await served(), (await service.api('GET', bots)).body]).toEqual([[], { items: [] }]);
  });

  it('is not changed by unauthenticated clients', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect([404, 405]).toContain((await service.call(method, path)).status);
    }
  });
});

describe('the dashboard', () => {
  it('is served with a policy that runs nothing but its own files', async () => {
    for (const path of ['/', `/properties/${randomUUID()}`, '/sign-in', '/index.html']) {
      const page = await service.call('GET', path);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toContain('text/html');
      const policy = page.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(page.headers.get('x-content-type-options')).toBe('nosniff');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('cache-control')).toBe('no-cache');
      // What the policy would block must not be in the page.
      expect(String(page.body)).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|style="/i);
    }
  });

  it('gives its files names that may be cached permanently, and 404 for files that are not there', async () => {
    const { body } = await service.call('GET', '/');
    const assets = [...String(body).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
      ([, path]) => path ?? '',
    );
    expect(assets.length).toBeGreaterThan(0);
    for (const path of assets) {
      const file = await service.call('GET', path, { headers: { 'Accept-Encoding': 'br' } });
      expect(file.status).toBe(200);
      expect(file.headers.get('cache-control')).toContain('immutable');
      expect(file.headers.get('content-encoding')).toBe('br');
      const again = { headers: { 'If-None-Match': file.headers.get('etag') ?? '' } };
      expect((await service.call('GET', path, again)).status).toBe(304);
    }
    expectProblem(await service.call('GET', '/assets/none.js'), 404);
    expectProblem(await service.call('GET', '/..%2f..%2fpackage.json'), 404);
    expectProblem(await service.call('POST', '/'), 404);
  });
});

describe('the export', () => {
  const path = (query: string) => `/api/v1/properties/${property.id}/hits?${query}`;

  it('defuses what a spreadsheet would run, and changes nothing in NDJSON', async () => {
    const referer = '=cmd|calc!A1';
    const agent = '=HYPERLINK("http://evil.example","GPTBot")';
    await postHit({ pathname: '/@export', user_agent: agent, referer });
    await expectConservation(service);
    const csv = await service.api('GET', path('format=csv'));
    expect(csv.headers.get('content-type')).toContain('text/csv');
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(csv.headers.get('x-content-type-options')).toBe('nosniff');
    const line =
      String(csv.body)
        .split('\r\n')
        .find((text) => text.includes('/@export')) ?? '';
    expect(line).not.toMatch(/(?:^|,)"?[=+\-@]/);
    expect(line).toContain(`"'=HYPERLINK(""http://evil.example"",""GPTBot"")"`);
    const ndjson = String((await service.api('GET', path('format=ndjson'))).body);
    const row = ndjson
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text) as { path: string; user_agent: string })
      .find((item) => item.path === '/@export');
    expect(row?.user_agent).toBe(agent);
  });

  it('narrows by time and class, and answers an empty range with an empty body', async () => {
    const of = async (query: string) =>
      String((await service.api('GET', path(query))).body)
        .split('\n')
        .filter(Boolean).length;
    expect(await of('class=ai_bot')).toBeGreaterThan(0);
    expect(await of('class=sample')).toBe(0);
    expect(await of('from=2001-01-01&to=2002-01-01')).toBe(0);
  });

  it('streams, and goes on serving when readers walk away', async () => {
    const { id, key } = await service.property('Bulk', 'bulk.example');
    const bulk = `/api/v1/properties/${id}/hits?format=ndjson`;
    for (let batch = 0; batch < 15; batch += 1) {
      const hits = Array.from({ length: 400 }, (_, index) =>
        workerHit({ pathname: `/bulk/${batch}/${index}`, user_agent: `GPTBot/1.2 ${'x'.repeat(900)}` }),
      );
      expect((await service.hits(key, hits)).status).toBe(204);
    }
    await expectConservation(service);
    // More than may run at once: each must give its place back when it is broken off.
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const abort = new AbortController();
      const response = await fetch(`${service.address}${bulk}`, {
        headers: BEARER,
        signal: abort.signal,
      });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-length')).toBeNull();
      await response.body?.getReader().read();
      abort.abort();
      await sleep(50);
    }
    const whole = await service.api('GET', bulk);
    expect(whole.status).toBe(200);
    expect(
      String(whole.body)
        .split('\n')
        .filter((line) => line.includes('/bulk/')),
    ).toHaveLength(6_000);
  });
});

describe('deleting a property', () => {
  it('ends its keys at once, deletes what was stored, and counts what is left', async () => {
    const doomed = await service.property();
    expect((await service.hits(doomed.key, [workerHit({ pathname: '/doomed' })])).status).toBe(204);
    await expectConservation(service);
    expect((await service.api('DELETE', `/api/v1/properties/${doomed.id}`)).status).toBe(204);
    expect((await service.hits(doomed.key, [workerHit({ pathname: '/late' })])).status).toBe(401);
    expect((await service.api('GET', `/api/v1/properties/${doomed.id}`)).status).toBe(404);
    let found: Record<string, unknown> | undefined;
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const { body } = await service.api('GET', '/api/v1/deletions');
      found = (body as { items: Record<string, unknown>[] }).items.find(
        ({ property_id: id }) => id === doomed.id,
      );
      if (found?.['counted_at'] !== null && found?.['left_rows'] === 0) break;
      await sleep(100);
    }
    // It is over when no node can know the key any more: minutes later.
    expect(found).toMatchObject({ state: 'deleting', left_rows: 0, left: [], error: null });
    expect(found?.['deleted']).toEqual(
      expect.arrayContaining([
        { table: 'hits', holds: 'visits', rows: 1 },
        { table: 'ingest_keys', holds: 'ingest keys', rows: 1 },
      ]),
    );
  });
});

describe('the stream', () => {
  const stream = (headers: Record<string, string> = {}) =>
    readEvents(`${service.address}/api/v1/properties/${property.id}/live/stream`, { ...BEARER, ...headers });
  const isPath = (path: string) => (event: { data: string }) =>
    (JSON.parse(event.data) as { path?: string }).path === path;

  it('tells of a hit within two seconds, and resumes where a reader left off', async () => {
    let lastId = '';
    await expectQuick(2_000, async (number) => {
      const reader = await stream();
      await postHit({ pathname: `/streamed-${number}` });
      const posted = performance.now();
      const { event, id } = await reader.waitFor(isPath(`/streamed-${number}`));
      const took = performance.now() - posted;
      expect(event).toBe('hit');
      lastId = id;
      reader.close();
      await reader.ended;
      return took;
    });

    await postHit({ pathname: '/while-away' });
    await expectConservation(service);
    const resumed = await stream({ 'Last-Event-ID': lastId });
    await resumed.waitFor(isPath('/while-away'));
    resumed.close();
    await resumed.ended;
  });

  it('ends at once when the service stops, and holds the stop up by nothing', async () => {
    await expectQuick(3_000, async () => {
      const readers = await Promise.all([stream(), stream(), stream()]);
      const started = performance.now();
      expect(await service.stop('SIGTERM')).toBe(0);
      const took = performance.now() - started;
      await Promise.all(readers.map(({ ended }) => ended));
      await service.start();
      return took;
    });
    await expectConservation(service);
    expect(service.log).not.toMatch(/"level":"(?:error|fatal)"/);
  });
});
