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
  [
    'queries and cookies in columns of a text',
    '198.51.100.7\t/p\tq=secret&b=c\tsid=1;%20x=2\tGPTBot/1.2',
    '[address]\t/p\tq=[redacted]&b=[redacted]\tsid=[redacted];%20x=[redacted]\tGPTBot/1.2',
  ],
  [
    'queries of other senders',
    '{"queryStr":"a=b","reqPath":"/p"}',
    '{"queryStr":"[redacted]","reqPath":"/p"}',
  ],
  [
    'attributes of OpenTelemetry',
    '{"key":"url.query","value":{"stringValue":"a=b"}},{"key":"url.path"}',
    '{"key":"url.query","value":"[redacted]"},{"key":"url.path"}',
  ],
  ['email addresses, also encoded', 'jo.doe@shop.example jo%40shop.example', '[email] [email]'],
  ['path parameters', '/a;token=abc;jsessionid=1/b', '/a;token=[redacted];jsessionid=[redacted]'],
  ['fragments', '/a#access_token=abc&x=1', '/a#access_token=[redacted]&x=1'],
  ['escaped queries', '/go/%3Ftoken%3Dabc%26', '/go/%3Ftoken%3D[redacted]'],
  ['headers', '{"Authorization":"Basic abc"}', '{"Authorization":"[redacted]"}'],
  [
    'webhook addresses',
    'https://hooks.slack.com/services/T0/B0/xyz',
    'https://hooks.slack.com/services/[redacted]',
  ],
  ['webhook secrets', 'whsec_abcDEF123=', 'whsec_[redacted]'],
  ['telephone numbers', 'call +49 170 1234567 or (555) 010-9999', 'call [phone] or [phone]'],
  ['addresses in paths', 'GET /203.0.113.7 /ip/203.0.113.8', 'GET /[address] /ip/[address]'],
  ['keys', '{"k":"svc_cf_abcdef0123"}', '{"k":"svc_cf_[redacted]"}'],
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
