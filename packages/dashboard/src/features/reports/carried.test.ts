import { expect, it } from 'vitest';
import { hereOf, type Kept, keptAt, openedWith, withoutWrongDays } from './carried.ts';

const at = (before: Kept | null, page: string, search: Record<string, unknown> = {}, propertyId = 'shop') =>
  keptAt(before, { propertyId, page, search });

it('period and filters survive a page without them: from Trust to Live and back to Trust', () => {
  const trust = at(null, 'trust', {
    period: 'last_90_days',
    vendor: 'OpenAI',
    include: 'spoofed',
    sort: 'hits',
    n: '3',
  });
  const live = at(trust, 'live', { class: 'event' });
  expect(openedWith(live, 'live')).toEqual({});
  expect(openedWith(live, 'trust')).toEqual({ period: 'last_90_days', vendor: 'OpenAI', include: 'spoofed' });
});

it('conversions and deliveries take the period only, and hand it on with the earlier filters', () => {
  const bots = at(null, 'bots', { period: 'last_7_days', compare: 'year', bot: 'GPTBot' });
  expect(openedWith(bots, 'conversions')).toEqual({ period: 'last_7_days', compare: 'year' });
  const conversions = at(bots, 'conversions', { from: '2026-11-01', to: '2026-11-03', topic: 'lead' });
  expect(openedWith(conversions, 'deliveries')).toEqual({ from: '2026-11-01', to: '2026-11-03' });
  expect(openedWith(conversions, 'bots')).toEqual({ from: '2026-11-01', to: '2026-11-03', bot: 'GPTBot' });
});

it('a removed filter stays removed', () => {
  const bots = at(at(null, 'bots', { period: 'last_7_days', compare: 'year', bot: 'GPTBot' }), 'bots', {});
  expect(openedWith(bots, 'pages')).toEqual({});
});

it('another property is opened for the same days, without filters on bots or paths of this one', () => {
  const shop = at(null, 'pages', { period: 'last_90_days', path: '/lamps', bot: 'GPTBot' });
  expect(openedWith(shop, 'pages', 'help')).toEqual({ period: 'last_90_days' });
  expect(openedWith(at(shop, 'live', {}, 'help'), 'pages')).toEqual({ period: 'last_90_days' });
});

it('page, property and search come from one address; account pages change nothing', () => {
  expect(hereOf({ pathname: '/p/shop/trust', search: { period: 'last_90_days' } })).toEqual({
    propertyId: 'shop',
    page: 'trust',
    search: { period: 'last_90_days' },
  });
  const kept = at(null, 'trust', { period: 'last_90_days', vendor: 'OpenAI' });
  const account = keptAt(kept, hereOf({ pathname: '/account', search: {} }));
  expect(openedWith(account, 'bots', 'shop')).toEqual({ period: 'last_90_days', vendor: 'OpenAI' });
});

it('days of an address that are no period are taken out of it, wherever a page has one', () => {
  const right = (page: string, search: Record<string, unknown>) =>
    withoutWrongDays({ propertyId: 'shop', page, search });
  const rest = { topic: 'lead', compare: 'year' };
  for (const page of ['conversions', 'deliveries', 'visits', 'bots']) {
    expect(right(page, { ...rest, from: '2024-02-30', to: '2024-03-02' })).toEqual(rest);
    // The wrong way round they are a period, which is read the right way.
    expect(right(page, { ...rest, from: '2024-03-02', to: '2024-03-01' })).toBeNull();
    expect(right(page, { ...rest, to: '2024-03-01' })).toEqual(rest);
    expect(right(page, { ...rest, from: '2024-02-29', to: '2024-03-01' })).toBeNull();
    expect(right(page, rest)).toBeNull();
  }
  expect(right('live', { from: 'here' })).toBeNull();
  expect(withoutWrongDays(null)).toBeNull();
});
