import { describe, expect, it } from 'vitest';
import { authOf } from '../testing.ts';
import { build } from './build.ts';
import { config } from './config.ts';

describe('a request to Microsoft', () => {
  it('names the tag in its path and lets the good events pass', () => {
    const request = build(
      [{ eventId: 'a' }],
      config.parse({ tag_id: '187012345' }),
      authOf({ access_token: 'token-of-uet' }),
    );
    expect(request).toEqual({
      method: 'POST',
      url: 'https://capi.uet.microsoft.com/v1/187012345/events',
      headers: { authorization: 'Bearer token-of-uet', 'content-type': 'application/json' },
      body: '{"data":[{"eventId":"a"}],"dataProvider":"ghostlight","continueOnValidationError":true}',
    });
  });

  it.each(['', '12', '1870123x', '187012345/../1', '1'.repeat(13)])(
    'is not made with the tag %j',
    (tag_id) => {
      expect(config.safeParse({ tag_id }).success).toBe(false);
    },
  );
});
