import { afterEach, expect, it } from 'vitest';
import { HASH } from './asking.ts';
import { startPlatforms } from './index.ts';
import { createMeta, META } from './meta.ts';
import { type Platform, startPlatform } from './server.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function meta() {
  const platform = await startPlatform(createMeta());
  stops.push(platform.stop);
  return platform;
}

const post = async (platform: Platform, id: string, user: object = { em: HASH }, signal?: AbortSignal) =>
  await fetch(`${platform.address}/v25.0/${META.pixel}/events?access_token=${META.token}`, {
    method: 'POST',
    body: JSON.stringify({
      data: [
        {
          event_name: 'Lead',
          event_id: id,
          event_time: Math.floor(Date.now() / 1_000),
          action_source: 'system_generated',
          user_data: user,
        },
      ],
    }),
    ...(signal === undefined ? {} : { signal }),
  });

it('fails as often as configured, in the form of the platform, with Retry-After', async () => {
  const platform = await meta();
  platform.failNext(1, 429, { 'retry-after': '7' });
  const refused = await post(platform, 'a');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '7']);
  expect(await refused.json()).toMatchObject({ error: { code: 4 } });
  expect((await post(platform, 'a')).status).toBe(200);
  expect(platform.calls).toHaveLength(2);
});

it('has taken what it answers too late, or never', async () => {
  const platform = await meta();
  platform.cutNext(1);
  await expect(post(platform, 'cut')).rejects.toThrow();
  platform.hangNext(1);
  const given = new AbortController();
  const hanging = post(platform, 'hung', undefined, given.signal);
  await expect.poll(() => platform.calls.length).toBe(2);
  given.abort();
  await expect(hanging).rejects.toThrow();
  expect(platform.fake.ledger.keys()).toEqual(['Lead:cut', 'Lead:hung']);
  expect((await post(platform, 'cut')).status).toBe(200);
  expect(platform.fake.ledger.absorbed).toHaveLength(1);
});

it('can be down, and comes back at the same address', async () => {
  const platform = await meta();
  await platform.down();
  await expect(post(platform, 'a')).rejects.toThrow();
  await platform.up();
  expect((await post(platform, 'a')).status).toBe(200);
});

it('refuses a poisoned event, and a plain e-mail wherever it stands', async () => {
  const platform = await meta();
  platform.fake.ledger.poisoned.add('Lead:bad');
  expect((await post(platform, 'bad')).status).toBe(400);
  expect((await post(platform, 'a', { em: HASH, fbp: 'jane@mail.example' })).status).toBe(400);
  expect(platform.fake.ledger.refusals).toEqual([
    'data[0] is poisoned',
    'a plain e-mail left: jane@mail.example',
  ]);
});

it('starts all platforms, each host of theirs with an address', async () => {
  const platforms = await startPlatforms();
  stops.push(platforms.stop);
  expect(platforms.all).toHaveLength(11);
  expect(platforms.hosts['oauth2.googleapis.com']).toBe(platforms.of.google_ads.address);
  expect(Object.keys(platforms.hosts)).toHaveLength(14);
});
