import { describe, expect, it } from 'vitest';
import { CHROME, NOW, pushLine } from '../../ingest/testing/harness.ts';
import { decodeLine } from './decode.ts';

const decode = (changes: Record<string, unknown>) => decodeLine(pushLine(changes), null, NOW);
const hit = (changes: Record<string, unknown>) => {
  const decoded = decode(changes);
  if ('reason' in decoded) throw new Error(`${decoded.field}: ${decoded.reason}`);
  return decoded;
};

describe('times', () => {
  const at = Date.parse('2026-03-01T11:59:59.123Z');
  it.each([
    ['RFC 3339', '2026-03-01T11:59:59.123Z', at],
    ['RFC 3339 without fraction', '2026-03-01T11:59:59Z', at - 123],
    ['RFC 3339 with nanoseconds', '2026-03-01T11:59:59.123456789Z', at],
    ['RFC 3339 with an offset', '2026-03-01T12:59:59.123+01:00', at],
    ['seconds', Math.trunc(at / 1000), at - 123],
    ['seconds as text', String(Math.trunc(at / 1000)), at - 123],
    ['seconds with a fraction', at / 1000, at],
    ['milliseconds', at, at],
    ['milliseconds as text', String(at), at],
    ['microseconds', at * 1000, at],
    ['microseconds as text', `${at}000`, at],
    ['nanoseconds as JSON gives them, rounded', JSON.parse(`${at}456789`), at],
    ['nanoseconds as text', `${at}456789`, at],
  ])('reads %s', (_, value, expected) => {
    expect(hit({ EdgeStartTimestamp: value }).hit.at).toBe(expected);
  });

  it.each([
    ['text', 'yesterday', 'not_a_time'],
    ['an object', {}, 'not_a_time'],
    ['a negative number', -5, 'not_a_time'],
    ['nothing', '', 'missing'],
    ['a time 32 days ago', NOW - 32 * 86_400_000, 'too_old'],
    ['a time 25 hours ahead', NOW + 25 * 3_600_000, 'in_future'],
    ['a month that is none', '2026-13-01T00:00:00Z', 'not_a_time'],
  ])('rejects %s', (_, value, reason) => {
    expect(decode({ EdgeStartTimestamp: value })).toMatchObject({ field: 'EdgeStartTimestamp', reason });
  });
});

describe('fields', () => {
  it('takes the path from ClientRequestPath where there is no URI', () => {
    expect(hit({ ClientRequestURI: undefined, ClientRequestPath: '/p' }).hit.path).toBe('/p');
    expect(decode({ ClientRequestURI: undefined })).toMatchObject({ reason: 'missing' });
  });

  it.each([
    ['AI Crawler', 'AI_CRAWLER'],
    ['AI_SEARCH', 'AI_SEARCH'],
    ['ai assistant', 'AI_ASSISTANT'],
    ['Search Engine Crawler', null],
    ['', null],
    [7, null],
  ])('reads the category %s', (value, expected) => {
    expect(hit({ VerifiedBotCategory: value }).hit.platformCategory).toBe(expected);
  });

  it.each([
    [{ WorkerSubrequest: true }, true],
    [{ WorkerSubrequest: 'true' }, true],
    [{ ParentRayID: '8f2a3b4c5d6e7f80' }, true],
    [{ ParentRayID: '00' }, false],
    [{ ParentRayID: '', WorkerSubrequest: false }, false],
  ])('knows a Worker’s own request: %j', (changes, expected) => {
    expect(hit(changes).ownRequest).toBe(expected);
  });

  it('coerces numbers and refuses what the columns can’t hold', () => {
    expect(hit({ EdgeResponseStatus: '404', EdgeResponseBytes: '7' }).hit).toMatchObject({
      status: 404,
      bytes: 7,
    });
    expect(decode({ EdgeResponseStatus: 70_000 })).toMatchObject({ reason: 'out_of_range' });
    expect(decode({ EdgeResponseBytes: -1 })).toMatchObject({ reason: 'out_of_range' });
  });

  it('bounds ten thousand query parameters and never fails on a broken escape', () => {
    const uri = `/p?bad=%E0%A4&${Array.from({ length: 10_000 }, (_, i) => `k${i}=${i}`).join('&')}`;
    const { query } = hit({ ClientRequestURI: uri, ClientRequestUserAgent: CHROME }).hit;
    expect(query.size).toBe(64);
    expect([...query.values()].every((value) => value.isWellFormed())).toBe(true);
  });
});
