/** Options: what can't be used is said by its name and never by its value, and stops nothing but the reports. */
import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';
import { ATTRIBUTION_ID, KEY, SERVICE } from './testing/world.ts';

const GOOD = { url: SERVICE, key: KEY, attributionId: ATTRIBUTION_ID };

it('has defaults for all but three', () => {
  expect(readSettings(GOOD)).toEqual({
    settings: {
      ...{ url: SERVICE, key: KEY, attributionId: ATTRIBUTION_ID, host: null, manifest: false },
      ...{ sampleRate: 0.02, maxQueue: 5_000, trust: { kind: 'unsaid' } },
    },
    problems: [],
  });
});

it('takes values as people copy them', () => {
  const { settings, problems } = readSettings({
    ...{ url: ` ${SERVICE}/base/ `, key: ` ${KEY}\n`, attributionId: ATTRIBUTION_ID.toUpperCase() },
    ...{ host: 'Shop.Example', sampleRate: 0, maxQueue: 10, manifest: true },
  });
  expect(problems).toEqual([]);
  expect(settings).toMatchObject({ url: `${SERVICE}/base`, key: KEY, attributionId: ATTRIBUTION_ID });
  expect(settings).toMatchObject({ host: 'shop.example', sampleRate: 0, maxQueue: 10, manifest: true });
});

it.each([
  [{ url: undefined }, 'url is the address'],
  [{ url: 'ghostlight.example' }, 'url is the address'],
  [{ url: `https://secret@ghostlight.example` }, 'url is the address of the service alone'],
  [{ key: undefined }, 'key is missing'],
  [{ key: `Bearer ${KEY}` }, 'key begins with “Bearer”'],
  [{ key: 'svc_wh_secret' }, 'key is no ingest key'],
  [{ attributionId: 'secret' }, 'attributionId is the UUID'],
])('reports nothing with %o', (changes, sentence) => {
  const { settings, problems } = readSettings({ ...GOOD, ...changes });
  expect(settings).toBeNull();
  expect(problems.join('\n')).toContain(sentence);
  expect(problems.at(-1)).toContain('Nothing is reported');
  expect(problems.join('\n')).not.toContain('secret');
  expect(problems.join('\n')).not.toContain(KEY);
});

it.each([
  [{ sampleRate: 2 }, 'sampleRate', { sampleRate: 0.02 }],
  [{ sampleRate: '0.5' }, 'sampleRate', { sampleRate: 0.02 }],
  [{ maxQueue: 0 }, 'maxQueue', { maxQueue: 5_000 }],
  [{ host: 'https://shop.example' }, 'host is a host name', { host: null }],
  // Not "none in front": a wrong address would accuse genuine bots.
  [{ trustProxy: true }, 'trustProxy', { trust: { kind: 'unknown' } }],
])('reports with what is safe where it is given %o', (changes, option, expected) => {
  const { settings, problems } = readSettings({ ...GOOD, ...changes });
  expect(problems.join('\n')).toContain(option);
  expect(settings).toMatchObject(expected);
});
