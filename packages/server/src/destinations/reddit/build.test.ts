import { describe, expect, it } from 'vitest';
import { authOf } from '../testing.ts';
import { build, buildTest } from './build.ts';
import { config } from './config.ts';

const CONFIG = config.parse({ pixel_id: 'a2_gu5yg1ki8lp4' });
const AUTH = authOf({ access_token: 'token-of-reddit' });

describe('a request to Reddit', () => {
  it('names the pixel in its path and the sender in its body', () => {
    expect(build([{ event_at: 1 }, { event_at: 2 }], CONFIG, AUTH)).toEqual({
      method: 'POST',
      url: 'https://ads-api.reddit.com/api/v3/pixels/a2_gu5yg1ki8lp4/conversion_events',
      headers: { authorization: 'Bearer token-of-reddit', 'content-type': 'application/json' },
      body: '{"data":{"partner":"GHOSTLIGHT","events":[{"event_at":1},{"event_at":2}]}}',
    });
  });

  it('marks a test by its id, and is none without', () => {
    const bodyOf = (code: string | null) =>
      JSON.parse(buildTest({ event_at: 1 }, CONFIG, AUTH, code).body ?? '') as object;
    expect(bodyOf('t2_abc')).toEqual({
      data: { partner: 'GHOSTLIGHT', test_id: 't2_abc', events: [{ event_at: 1 }] },
    });
    expect(bodyOf(null)).not.toHaveProperty('data.test_id');
  });

  it.each(['', 'gu5yg1ki8lp4', 'a2_../../x', 'a2_abc?x=1', 'A2_GU5YG'])(
    'is not made with the pixel %j',
    (pixel_id) => {
      expect(config.safeParse({ pixel_id }).success).toBe(false);
    },
  );
});
