import { expect, it } from 'vitest';
import { MAX_QUARANTINED_BODY, quarantineBody } from './quarantine.ts';

it.each([
  ['the address field', '{"ip":"203.0.113.7","a":1}', '{"ip":"[address]","a":1}'],
  ['log push’s address', '{"ClientIP": "2001:db8::5"}', '{"ClientIP": "[address]"}'],
  ['addresses anywhere', 'from 203.0.113.7 and 2001:db8::5', 'from [address] and [address]'],
  [
    'query objects, whatever their values hold',
    '{"query_params":{"a":"}","b":{"c":"x"},"d":"s"},"e":1}',
    '{"query_params":"[redacted]","e":1}',
  ],
  ['query objects that are cut off', '{"query_params":{"a":"secret', '{"query_params":"[redacted]"'],
  [
    'query strings, keeping their names',
    '{"ClientRequestURI":"/p?a=1&b=2"}',
    '{"ClientRequestURI":"/p?a=[redacted]&b=[redacted]"}',
  ],
  ['e-mail addresses, also encoded', 'jo.doe@shop.example jo%40shop.example', '[e-mail] [e-mail]'],
  ['keys', '{"k":"svc_cf_abcdef0123"}', '{"k":"[key]"}'],
])('takes out %s', (_, body, expected) => {
  expect(quarantineBody(body)).toBe(expected);
});

it('leaves times and versions readable', () => {
  const body = '{"EdgeStartTimestamp":"2026-03-01T11:59:59Z","user_agent":"Chrome/126.0.0.0"}';
  expect(quarantineBody(body)).toBe(body);
});

it('is bounded, and costs little whatever it is given', () => {
  for (const hostile of ['a@', '1.', 'a:', '?=', '"ip":"\\', '{"query":{', '\ud800']) {
    const started = process.cpuUsage().user;
    expect(quarantineBody(hostile.repeat(600_000)).length).toBeLessThanOrEqual(MAX_QUARANTINED_BODY);
    expect(process.cpuUsage().user - started).toBeLessThan(1_000_000);
  }
});
