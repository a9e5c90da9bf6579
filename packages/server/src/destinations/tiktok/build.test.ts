import { describe, expect, it } from 'vitest';
import { authOf } from '../testing.ts';
import { build, buildTest } from './build.ts';
import { config } from './config.ts';

const CONFIG = config.parse({ pixel_code: ' COQDA8RC77U2TMR44LI0 ' });
const AUTH = authOf({ access_token: 'token-of-tiktok' });

describe('a request to TikTok', () => {
  it('carries the token in its own header and the pixel in the body', () => {
    expect(build([{ event: 'a' }, { event: 'b' }], CONFIG, AUTH)).toEqual({
      method: 'POST',
      url: 'https://business-api.tiktok.com/open_api/v1.3/event/track/',
      headers: { 'access-token': 'token-of-tiktok', 'content-type': 'application/json' },
      body: '{"event_source":"web","event_source_id":"COQDA8RC77U2TMR44LI0","data":[{"event":"a"},{"event":"b"}]}',
    });
  });

  it('marks a test by the code, and is none without', () => {
    const bodyOf = (code: string | null) =>
      JSON.parse(buildTest({ event: 'a' }, CONFIG, AUTH, code).body ?? '') as object;
    expect(bodyOf('TEST123')).toMatchObject({ test_event_code: 'TEST123', data: [{ event: 'a' }] });
    expect(bodyOf(null)).not.toHaveProperty('test_event_code');
  });

  it.each([
    '',
    'short',
    'COQDA8RC77U2TMR44LI0/../x',
    'coqda8rc77u2tmr44li0',
    'COQDA8RC77U2TMR44LI0\n'.repeat(2),
  ])('is not made with the pixel code %j', (pixel_code) => {
    expect(config.safeParse({ pixel_code }).success).toBe(false);
  });
});
