import { describe, expect, it } from 'vitest';
import { redactLine } from './logger.ts';

describe('the log', () => {
  it.each([
    ['svc_cf_0123456789abcdefghijABCDEFGHIJ', 'svc_cf_[redacted]'],
    ['POST /v1/logs/edge_logpush?header_X-API-Key=abc%20def&x=1', 'header_X-API-Key=[redacted]&x=1'],
    ['authorization: Bearer svc_wh_0123456789', 'Bearer svc_wh_[redacted]'],
    ['Bearer abcdefghijklmnop', 'Bearer [redacted]'],
    ['postgres://ghost:hunter2@db:5432/ghost', 'postgres://ghost:[redacted]@db'],
    ['token ght_0123456789abcdefghijABCDEFGHIJ', 'token ght_[redacted]'],
    ['see https://x.example/welcome#token=abc-def_ghi now', 'welcome#token=[redacted] now'],
    ['cookie: ghostlight_session=abc-def_ghijkl; a=b', 'ghostlight_session=[redacted]; a=b'],
    ['smtps://ghost:hunter2@mail.example:465', 'smtps://ghost:[redacted]@mail'],
    ['mail from jane.doe+x@mail.example.org today', 'mail from [redacted e-mail] today'],
  ])('takes the secret out of "%s"', (line, expected) => {
    expect(redactLine(line)).toContain(expected);
  });

  it('leaves ordinary lines as they are', () => {
    const line = '{"level":"info","path":"/v1/logs/edge_worker","status":204,"rows":12}';
    expect(redactLine(line)).toBe(line);
  });
});
