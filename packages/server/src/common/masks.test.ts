import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskSecrets, maskText } from './masks.ts';

const VALUE = fc.stringMatching(/^[A-Za-z0-9_-]{12,40}$/);
const NAMES = [
  'token',
  'access_token',
  'id_token',
  'client_secret',
  'password',
  'api_key',
  'apikey',
  'X-Signature',
  'session_id',
  'JSESSIONID',
  'authorization',
  'header_X-API-Key',
];
/** Every way in which a named secret has been met. */
const WAYS: Record<string, (name: string, value: string) => string> = {
  'a query': (name, value) => `GET /a?x=1&${name}=${value}&y=2`,
  'a path parameter': (name, value) => `/a;${name}=${value};b=1/c`,
  'a fragment': (name, value) => `https://shop.example/a#${name}=${value}`,
  'an escaped query': (name, value) => `/go/%3F${name}%3D${value}%26x`,
  'a half escaped query': (name, value) => `/go/%3F${name}=${value}%26x`,
  'a cookie': (name, value) => `cookie: a=b; ${name}=${value}; c=d`,
  'a member': (name, value) => JSON.stringify({ a: 1, [name]: value, b: 2 }),
  'a member of JSON in JSON': (name, value) => JSON.stringify({ body: JSON.stringify({ [name]: value }) }),
  'a member of JSON in JSON in JSON': (name, value) =>
    JSON.stringify(JSON.stringify({ body: JSON.stringify({ [name]: value }) })),
};

it.each(Object.entries(WAYS))('takes a named secret out of %s', (_, write) => {
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), VALUE, (name, value) => {
      const masked = maskSecrets(write(name, value));
      expect(masked).not.toContain(value);
      expect(masked).toContain(name);
      expect(maskSecrets(masked)).toBe(masked);
    }),
  );
});

it.each([
  ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [redacted]'],
  ['Authorization: Bearer eyJhbGciOi.abc.def', 'Authorization: Bearer [redacted]'],
  ['authorization: dXNlcjpwYXNz', 'authorization: [redacted]'],
  ['https://hooks.slack.com/services/T0/B0/xyz now', 'https://hooks.slack.com/services/[redacted] now'],
  ['https://discord.com/api/webhooks/1/abc-d', 'https://discord.com/api/webhooks/[redacted]'],
  ['whsec_MfKQ9r8GKYqrTwjU', 'whsec_[redacted]'],
  ['clickhouse+https://u:p%40ss@db:8443/x', 'clickhouse+https://u:[redacted]@db:8443/x'],
])('takes the secret out of %s', (text, expected) => {
  expect(maskSecrets(text)).toBe(expected);
  expect(maskSecrets(expected)).toBe(expected);
});

it('takes out addresses and numbers, in paths too, and leaves versions, times and orders', () => {
  expect(maskText('/users/203.0.113.8 /203.0.113.7 a@b.example 2001:db8::5 +49 170 1234567')).toBe(
    '/users/[address] /[address] [email] [address] [phone]',
  );
  const plain = 'Chrome/126.0.0.0 at 11:59:59, order 1000234567, GET /products/lamp?size=L';
  expect(maskText(plain)).toBe(plain);
});

it('changes nothing the second time, and ends soon, whatever it is given', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.string(), fc.constantFrom('"', '\\', 'token', '=', ':', 'Bearer ', '::1', '@a.b')),
      ),
      (parts) => {
        const once = maskText(parts.join(''));
        expect(maskText(once)).toBe(once);
      },
    ),
  );
  for (const hostile of ['"token', '\\"', 'a://b:', 'token=', 'authorization:', '1.', 'a@', '+1 '])
    maskText(hostile.repeat(20_000));
});
