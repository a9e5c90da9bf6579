import { describe, expect, it } from 'vitest';
import { authOf } from '../testing.ts';
import { build, buildTest } from './build.ts';
import { config } from './config.ts';

const PIXEL = '1ec32188-754e-4be2-8e55-c949a984a39f';
const CONFIG = config.parse({ pixel_id: PIXEL });

describe('a request to Snap', () => {
  it('carries the token in its address, where nothing of it can change the address', () => {
    expect(build([{ event_id: 'a' }], CONFIG, authOf({ access_token: 'to/ken&x=1' }))).toEqual({
      method: 'POST',
      url: `https://tr.snapchat.com/v3/${PIXEL}/events?access_token=to%2Fken%26x%3D1`,
      headers: { 'content-type': 'application/json' },
      body: '{"data":[{"event_id":"a"}]}',
    });
  });

  it('is a test at the address that only validates', () => {
    const { url, body } = buildTest({ event_id: 'a' }, CONFIG, authOf({ access_token: 'token' }));
    expect(url).toBe(`https://tr.snapchat.com/v3/${PIXEL}/events/validate?access_token=token`);
    expect(body).toBe('{"data":[{"event_id":"a"}]}');
  });

  it.each(['', '1ec32188', `${PIXEL}/events`, `${PIXEL}?x=`])('is not made with the pixel %j', (pixel_id) => {
    expect(config.safeParse({ pixel_id }).success).toBe(false);
  });
});
