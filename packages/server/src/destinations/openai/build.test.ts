import { describe, expect, it } from 'vitest';
import { authOf } from '../testing.ts';
import { build, buildTest } from './build.ts';
import { config } from './config.ts';

const CONFIG = config.parse({ pixel_id: '2atj5meVpvtJ5kCtqhG3yX' });
const AUTH = authOf({ api_key: 'key-of-conversions' });

describe('a request to OpenAI', () => {
  it('names the pixel in its query', () => {
    expect(build([{ id: 'a' }, { id: 'b' }], CONFIG, AUTH)).toEqual({
      method: 'POST',
      url: 'https://bzr.openai.com/v1/events?pid=2atj5meVpvtJ5kCtqhG3yX',
      headers: { authorization: 'Bearer key-of-conversions', 'content-type': 'application/json' },
      body: '{"validate_only":false,"events":[{"id":"a"},{"id":"b"}]}',
    });
  });

  it('is a test by one flag alone', () => {
    expect(buildTest({ id: 'a' }, CONFIG, AUTH)).toEqual({
      ...build([], CONFIG, AUTH),
      body: '{"validate_only":true,"events":[{"id":"a"}]}',
    });
  });

  it.each(['', 'ab', 'a&pid=b', 'a/b', 'a'.repeat(81)])('is not made with the pixel %j', (pixel_id) => {
    expect(config.safeParse({ pixel_id }).success).toBe(false);
  });
});
