import { afterEach, expect, it, vi } from 'vitest';
import { type Answer, addressOf, call, get } from './client.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Records every request. */
const calls = () => {
  const seen: [address: string, options: RequestInit][] = [];
  vi.stubGlobal('fetch', async (address: string, options: RequestInit) => {
    seen.push([address, options]);
    return Response.json({ items: [] });
  });
  return seen;
};

it('a path is filled in: a value stays in its segment, and an undefined parameter is left out', () => {
  expect(
    addressOf('/a/{one}/b/{two}', { one: 'x/y', two: '?' }, { q: 'a&b', limit: 5, after: undefined }),
  ).toBe('/a/x%2Fy/b/%3F?q=a%26b&limit=5');
});

it('a POST always has a body, because the service refuses one without', async () => {
  const seen = calls();
  await call('POST', '/api/v1/properties/{id}/webmcp/status', { params: { id: 'p' } });
  await call('DELETE', '/api/v1/session');
  expect(seen.map(([address, { method, body }]) => [method, address, body])).toEqual([
    ['POST', '/api/v1/properties/p/webmcp/status', '{}'],
    ['DELETE', '/api/v1/session', undefined],
  ]);
});

it('a call that is not in the OpenAPI document is a type error', async () => {
  calls();
  const { items }: Answer<'GET /api/v1/properties'> = await get('/api/v1/properties');
  expect(items).toEqual([]);
  const wrong = () => [
    // @ts-expect-error no such path
    get('/api/v1/propertys'),
    // @ts-expect-error no value for `id`
    get('/api/v1/properties/{id}/setup'),
    // @ts-expect-error another name
    get('/api/v1/properties/{id}/setup', { params: { property: 'p' } }),
    // @ts-expect-error it has no such filter
    get('/api/v1/properties/{id}/live', { params: { id: 'p' }, query: { clas: 'ai_bot' } }),
    // @ts-expect-error no body
    call('POST', '/api/v1/properties'),
    // @ts-expect-error a member is missing
    call('POST', '/api/v1/properties', { body: { name: 'Shop' } }),
  ];
  expect(wrong).toBeTypeOf('function');
});
