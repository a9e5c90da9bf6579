import { describe, expect, it } from 'vitest';
import { partOf, valueText } from './changes.ts';

const ID = '0a1b2c3d-0000-4000-8000-000000000001';

describe('a change of the audit log', () => {
  it('names what was changed, by its name where it is an id', () => {
    const names = new Map([[ID, 'Shop']]);
    expect(partOf('config.pixel_id', names)).toBe('pixel ID');
    expect(partOf('config.api_version', names)).toBe('API version');
    expect(partOf(`properties.${ID}`, names)).toBe('properties Shop');
    expect(partOf(`properties.${ID}`, new Map())).toBe(`properties ${ID}`);
    expect(partOf('config.events.subscription_start', names)).toBe('subscription start event');
    expect(partOf('config.user_data', names)).toBe('personal data');
  });

  it('shows values of a closed set in words, and what was entered as it was', () => {
    const text = (what: string, value: string) => valueText(what, value, (source) => `Title of ${source}`);
    expect(text('source', 'edge_worker')).toBe('Title of edge_worker');
    expect(text('kinds', '["spoof_surge","quota"]')).toBe('spoof surge, quota');
    expect(text('kinds', '[]')).toBe('none');
    expect(text('kinds', 'all')).toBe('all');
    expect(text('kinds', '["spoof_surge","quo…')).toBe('["spoof_surge","quo…');
    expect(text('retention', '{"ai_visits":90,"daily":400}')).toBe('AI visits 90 days, daily 400 days');
    expect(text('name', 'my_shop')).toBe('my_shop');
  });
});
