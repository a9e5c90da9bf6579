import { expect, it } from 'vitest';
import { hereOf, type Kept, keptAt, openedWith } from './carried.ts';

const at = (before: Kept | null, page: string, search: Record<string, unknown> = {}, propertyId = 'shop') =>
  keptAt(before, { propertyId, page, search });

it('period and filters survive a page without them: from Trust to Live and back to Trust', () => {
  const trust = at(null, 'trust', { days: '90', vendor: 'OpenAI', include: 'spoofed', sort: 'hits', n: '3' });
  const live = at(trust, 'live', { class: 'event' });
  expect(openedWith(live, 'live')).toEqual({});
  expect(openedWith(live, 'trust')).toEqual({ days: 90, vendor: 'OpenAI', include: 'spoofed' });
});

it('conversions and deliveries take the period only, and hand it on with the earlier filters', () => {
  const bots = at(null, 'bots', { days: '7', bot: 'GPTBot' });
  expect(openedWith(bots, 'conversions')).toEqual({ days: 7 });
  const conversions = at(bots, 'conversions', { from: '2026-11-01', to: '2026-11-03', topic: 'lead' });
  expect(openedWith(conversions, 'deliveries')).toEqual({ from: '2026-11-01', to: '2026-11-03' });
  expect(openedWith(conversions, 'bots')).toEqual({ from: '2026-11-01', to: '2026-11-03', bot: 'GPTBot' });
});

it('a removed filter stays removed', () => {
  const bots = at(at(null, 'bots', { days: '7', bot: 'GPTBot' }), 'bots', {});
  expect(openedWith(bots, 'pages')).toEqual({});
});

it('another property is opened for the same days, without filters on bots or paths of this one', () => {
  const shop = at(null, 'pages', { days: '90', path: '/lamps', bot: 'GPTBot' });
  expect(openedWith(shop, 'pages', 'help')).toEqual({ days: 90 });
  expect(openedWith(at(shop, 'live', {}, 'help'), 'pages')).toEqual({ days: 90 });
});

it('page, property and search come from one address; account pages change nothing', () => {
  expect(hereOf({ pathname: '/p/shop/trust', search: { days: 90 } })).toEqual({
    propertyId: 'shop',
    page: 'trust',
    search: { days: 90 },
  });
  const kept = at(null, 'trust', { days: '90', vendor: 'OpenAI' });
  const account = keptAt(kept, hereOf({ pathname: '/account', search: {} }));
  expect(openedWith(account, 'bots', 'shop')).toEqual({ days: 90, vendor: 'OpenAI' });
});
