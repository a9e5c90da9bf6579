import { describe, expect, it } from 'vitest';
import type { Destination, Guarantee, Platform } from './api.ts';
import { kindOf, pledgesOf, stateWords } from './messages.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const health = { not_before: null, failures: 0, dead_24h: 0 } as unknown as Destination['health'];

const topics = ['purchase', 'lead', 'signup', 'refund', 'subscription', 'custom'] as const;
const platform = (
  guarantee: (topic: string) => Guarantee,
): Pick<Platform, 'platform' | 'title' | 'guarantees' | 'events'> => ({
  platform: 'meta',
  title: 'Meta Conversions API',
  guarantees: Object.fromEntries(topics.map((topic) => [topic, guarantee(topic)])) as Platform['guarantees'],
  events: {
    defaults: Object.fromEntries(
      topics.map((topic) => [
        topic,
        topic === 'refund' ? { kind: 'unsupported' } : { kind: 'name', name: 'x' },
      ]),
    ),
  } as unknown as Platform['events'],
});

describe('the state of a destination', () => {
  it('is asked to wait only until the next try, and retrying until a request succeeds', () => {
    const at = (not_before: string, failures = 0) =>
      stateWords({ state: 'active', health: { ...health, not_before, failures } }, NOW).title;
    expect(at('2026-11-21T12:00:01Z')).toBe('Asked to wait');
    expect(at('2026-11-21T12:00:01Z', 2)).toBe('Retrying');
    expect(at('2026-11-21T11:59:59Z', 2)).toBe('Retrying');
    expect(at('2026-11-21T11:59:59Z')).toBe('Active');
  });

  it('names the failures of a day, as they are not over with the next success', () => {
    expect(stateWords({ state: 'active', health: { ...health, dead_24h: 1 } }, NOW)).toMatchObject({
      tone: 'bad',
      title: 'Active, some failed',
    });
  });

  it('is an alarm or a pause even while the platform asked to wait', () => {
    const busy = { ...health, not_before: '2026-11-21T13:00:00Z' };
    expect(stateWords({ state: 'alarm', health: busy }, NOW).title).toBe('Needs attention');
    expect(stateWords({ state: 'paused', health: busy }, NOW).title).toBe('Paused');
  });
});

describe('the delivery guarantee of a platform', () => {
  it('is one phrase when it holds for every topic', () => {
    const one = platform((topic) => (topic === 'refund' ? 'at_most_once' : 'dedup'));
    expect(pledgesOf(one)).toMatchObject([{ name: 'Counted once', topics: [] }]);
    expect(pledgesOf(one)[0]?.about).toMatch(/Meta keeps one event per ID\.$/);
  });

  it('leaves it to the receiver of a webhook to drop repeats', () => {
    const own = { ...platform(() => 'dedup'), platform: 'webhook' as const };
    expect(pledgesOf(own)).toMatchObject([{ name: 'May arrive twice', topics: [] }]);
  });

  it('names the topics with another guarantee', () => {
    const mixed = platform((topic) => (topic === 'purchase' ? 'dedup' : 'at_most_once'));
    expect(pledgesOf(mixed)).toMatchObject([
      { name: 'Counted once', topics: ['purchase'] },
      { name: 'At most once', topics: ['lead', 'signup', 'subscription', 'custom'] },
    ]);
  });
});

it('says what a destination is beside its name: its account, and the platform where the name does not', () => {
  const kind = (name: string, config: Record<string, unknown>, title = 'Meta Conversions API') =>
    kindOf(
      { name, platform: 'meta', config },
      {
        title,
        config_schema: {
          required: ['pixel_id', 'url'],
          properties: { pixel_id: { title: 'Dataset ID (Pixel ID)' } },
        } as Platform['config_schema'],
      },
    );
  expect(kind('Meta (shop)', { pixel_id: '123' })).toBe('Dataset ID 123');
  expect(kind('Our pixel', { pixel_id: '123' })).toBe('Meta Conversions API · Dataset ID 123');
  expect(kind('CRM', { url: 'https://crm.shop.example/…' }, 'Webhook')).toBe('Webhook · crm.shop.example/…');
  expect(kind('Meta', {})).toBe('Meta Conversions API');
});
