import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { inRequest, type Span } from './common/index.ts';
import { createLogger, readable, redactLine } from './logger.ts';

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
    ['mail from jane.doe+x@mail.example.org today', 'mail from [redacted email] today'],
  ])('takes the secret out of "%s"', (line, expected) => {
    expect(redactLine(line)).toContain(expected);
  });

  it('leaves ordinary lines as they are', () => {
    const line = '{"level":"info","path":"/v1/logs/edge_worker","status":204,"rows":12}';
    expect(redactLine(line)).toBe(line);
  });
});

it('a line for a terminal has time, level, room, message and the rest in this order, and is no JSON', () => {
  const line =
    '{"level":"warn","time":"2026-11-22T14:03:12.123Z","room":"lists","source":"openai","err":{"message":"no answer","stack":"at x"},"msg":"not renewed"}';
  const text = stripVTControlCharacters(readable(line));
  expect(text).toBe('14:03:12  warn   lists  not renewed  source=openai error=no answer\n');
  expect(readable(line.replace('"warn"', '"error"'))).toContain('\nat x\n');
  expect(readable('no JSON')).toBe('no JSON');
});

it('a line names the request and the trace that it belongs to', () => {
  const directory = mkdtempSync(join(tmpdir(), 'ghostlight-log-'));
  const fd = openSync(join(directory, 'log'), 'a');
  const log = createLogger('info', false, fd).child({ room: 'lists' });
  const span = { traceId: '4bf92f35', spanId: '00f067aa' } as Span;
  inRequest({ requestId: 'abc-1', span }, () => log.info({ n: 1 }, 'both'));
  inRequest({ span }, () => log.info({}, 'of a job'));
  log.info({}, 'neither');
  closeSync(fd);
  const lines = readFileSync(join(directory, 'log'), 'utf8').trimEnd().split('\n');
  rmSync(directory, { recursive: true });
  const [both, job, neither] = lines.map((line) => JSON.parse(line));
  expect(both).toMatchObject({
    request_id: 'abc-1',
    trace_id: '4bf92f35',
    span_id: '00f067aa',
    room: 'lists',
    n: 1,
  });
  expect(job).toMatchObject({ trace_id: '4bf92f35' });
  expect(Object.keys(neither)).toEqual(['level', 'time', 'room', 'msg']);
});
