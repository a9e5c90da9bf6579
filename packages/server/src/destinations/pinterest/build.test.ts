import { describe, expect, it } from 'vitest';
import { authOf } from '../testing.ts';
import { build, buildTest } from './build.ts';
import { config } from './config.ts';

const CONFIG = config.parse({ ad_account_id: '549755885175' });
const AUTH = authOf({ access_token: 'pina_token' });
const URL_OF_EVENTS = 'https://api.pinterest.com/v5/ad_accounts/549755885175/events';

describe('a request to Pinterest', () => {
  it('names the account in its path', () => {
    expect(build([{ event_id: 'a' }], CONFIG, AUTH)).toEqual({
      method: 'POST',
      url: URL_OF_EVENTS,
      headers: { authorization: 'Bearer pina_token', 'content-type': 'application/json' },
      body: '{"data":[{"event_id":"a"}]}',
    });
  });

  it('is a test by its address alone', () => {
    const { url, ...rest } = buildTest({ event_id: 'a' }, CONFIG, AUTH);
    const { url: _, ...real } = build([{ event_id: 'a' }], CONFIG, AUTH);
    expect(url).toBe(`${URL_OF_EVENTS}?test=true`);
    expect(rest).toEqual(real);
  });

  it.each(['', 'abc', '1/../2', '1?test=true', '1'.repeat(19)])('is not made with the account %j', (id) => {
    expect(config.safeParse({ ad_account_id: id }).success).toBe(false);
  });
});
