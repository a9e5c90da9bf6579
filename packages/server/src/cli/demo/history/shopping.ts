/** What people did in the demo's past: visits as the browser SDK tells of them, orders as the shop's server posts them. */

import { DAY_MS } from '@ghostlight/core/time';
import { PRODUCTS } from '../products.ts';
import { HOST } from '../shop.ts';
import type { Chance } from './chance.ts';
import { type Day, momentsOf } from './days.ts';

/** A page view that begins a session, and what was looked at after it. */
export interface ShopVisit {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Of `POST /api/events`, without the attribution id. */
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

export interface Order {
  readonly at: number;
  readonly topic: 'purchase' | 'lead' | 'refund';
  /** Of the webhook. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Shopping {
  /** Both in the order of time. */
  readonly visits: readonly ShopVisit[];
  readonly orders: readonly Order[];
}

interface Arrival {
  readonly referrer: string;
  readonly query: string;
}

type Weighted<T> = readonly (readonly [weight: number, value: T])[];

const AI: Weighted<Arrival> = [
  [10, { referrer: 'https://chatgpt.com/', query: 'utm_source=chatgpt.com' }],
  [3, { referrer: 'https://www.perplexity.ai/', query: '' }],
  [2, { referrer: 'https://gemini.google.com/', query: '' }],
  [2, { referrer: 'https://claude.ai/', query: '' }],
  [1, { referrer: 'https://copilot.microsoft.com/', query: '' }],
];
const OTHERS: Weighted<Arrival> = [
  [20, { referrer: 'https://www.google.com/', query: '' }],
  [
    16,
    {
      referrer: 'https://www.google.com/',
      query: 'utm_source=google&utm_medium=cpc&utm_campaign=lamps-autumn&gclid=',
    },
  ],
  [
    9,
    {
      referrer: 'https://l.instagram.com/',
      query: 'utm_source=instagram&utm_medium=paid_social&utm_campaign=stage-at-home&fbclid=',
    },
  ],
  [8, { referrer: '', query: 'utm_source=newsletter&utm_medium=email&utm_campaign=first-frost' }],
  [12, { referrer: '', query: '' }],
  [6, { referrer: 'https://theatre-technicians.example/', query: '' }],
];
const RETURNS: Weighted<Arrival> = OTHERS.slice(3, 5);

/** Of visitors, at the first day and at the last. */
const AI_SHARE = { first: 0.1, last: 0.32 };
const VISITORS = { first: 8, last: 15 };
const COMES_BACK = 0.3;
const BUYS = 0.34;
const ASKS = 0.07;
const SENDS_BACK = 0.06;
/** Orders by telephone and of visitors without consent to analytics: no visit is known of them. */
const UNKNOWN_PER_DAY = 0.7;
const MINUTE_MS = 60_000;

const CATALOGUE = [...PRODUCTS].map(([slug, { sku, name, price }]) => ({
  slug,
  sku,
  name,
  price: Number(price.replace(/[^\d.]/g, '')),
}));
const ZONES = [
  { timezone: 'Europe/Berlin', country: 'DE' },
  { timezone: 'Europe/Paris', country: 'FR' },
  { timezone: 'Europe/London', country: 'GB' },
  { timezone: 'America/New_York', country: 'US' },
] as const;

/** @param until nothing happens after it */
export function shoppingOf(days: readonly Day[], until: number, chance: Chance): Shopping {
  const visits: ShopVisit[] = [];
  const orders: Order[] = [];
  let visitors = 0;
  let numbers = 10_400;
  const span = Math.max(1, days.length - 1);
  const between = ({ first, last }: { first: number; last: number }, { index }: Day) =>
    first + ((last - first) * index) / span;

  const visit = (at: number, visitor: string, who: Who, { referrer, query }: Arrival): void => {
    const number = visits.length;
    const click = query.endsWith('=') ? `demo-click-${number}` : '';
    const { slug } = chance.pick(CATALOGUE);
    const shared = {
      visitor_id: visitor,
      session_id: `demo-session-${number}`,
      timezone: who.timezone,
      ...(who.consent === null ? {} : { consent: who.consent }),
      browser_ids: {
        _ga: `GA1.1.${1_000_000 + visitors}.1790000000`,
        _fbp: `fb.1.1790000000000.${1_000_000 + visitors}`,
      },
      lib: 'demo-history',
    };
    const page = (path: string, more: object, after: number) => ({
      ...shared,
      event_name: 'page_view',
      event_id: `demo-event-${number}-${after}`,
      event_time: new Date(at + after * MINUTE_MS).toISOString(),
      page_location: `https://${HOST}${path}`,
      ...more,
    });
    const tags = query === '' ? '' : `?${query}${click}`;
    visits.push({
      at,
      events: [
        page(`/products/${slug}${tags}`, { page_referrer: referrer, session_start: true }, 0),
        page('/cart', { page_referrer: `https://${HOST}/products/${slug}` }, 1),
      ],
    });
  };

  const order = (at: number, visitor: string | null, who: Who): void => {
    numbers += 1;
    const id = `demo-${numbers}`;
    const item = chance.pick(CATALOGUE);
    const quantity = chance.weighted([
      [12, 1],
      [4, 2],
      [1, 6],
    ] as const);
    const total = item.price * quantity;
    const shared = {
      ...(visitor === null ? {} : { visitor_id: visitor }),
      ...(who.consent === null ? {} : { consent: who.consent }),
      user_data: { email: `customer-${numbers}@mail.example`, address: { country: who.country } },
    };
    if (chance.next() < ASKS / BUYS) {
      const body = { ...shared, conversion_id: id, lead_type: 'theatre', value: '40.00', currency: 'EUR' };
      orders.push({ at, topic: 'lead', body: { ...body, event_time: new Date(at).toISOString() } });
      return;
    }
    const amount = { value: total.toFixed(2), currency: 'EUR' };
    const products = [{ sku: item.sku, name: item.name, quantity, price: item.price.toFixed(2) }];
    const body = { ...shared, ...amount, conversion_id: id, shipping: '4.90', products };
    orders.push({ at, topic: 'purchase', body: { ...body, event_time: new Date(at).toISOString() } });
    if (chance.next() >= SENDS_BACK) return;
    const back = at + chance.between(3, 11) * DAY_MS;
    const refund = { conversion_id: id, refund_id: `${id}-back`, ...amount };
    orders.push({ at: back, topic: 'refund', body: { ...refund, event_time: new Date(back).toISOString() } });
  };

  for (const day of days) {
    const moment = momentsOf(day, 'waking', chance);
    for (let left = chance.around(between(VISITORS, day) * (day.isWeekend ? 0.8 : 1)); left > 0; left -= 1) {
      visitors += 1;
      const visitor = `demo-visitor-${visitors}`;
      const who = someone(chance);
      const isAi = chance.next() < between(AI_SHARE, day);
      let at = moment();
      visit(at, visitor, who, chance.weighted(isAi ? AI : OTHERS));
      if (chance.next() < COMES_BACK) {
        at += chance.between(1, 5) * DAY_MS;
        visit(at, visitor, who, chance.weighted(RETURNS));
      }
      if (chance.next() < BUYS) order(at + chance.between(3, 40) * MINUTE_MS, visitor, who);
    }
    for (let left = chance.around(UNKNOWN_PER_DAY); left > 0; left -= 1)
      order(moment(), null, someone(chance));
  }
  // There is always a purchase under way: orders that the pretended CRM still refuses (`pretend.ts`).
  for (const minutes of [13, 6]) {
    visitors += 1;
    const who = { ...ZONES[0], consent: AGREED };
    visit(until - (minutes + 4) * MINUTE_MS, `demo-visitor-${visitors}`, who, chance.weighted(AI));
    order(until - minutes * MINUTE_MS, `demo-visitor-${visitors}`, who);
  }

  const past = <T extends { at: number }>(list: readonly T[]): readonly T[] =>
    list.filter(({ at }) => at < until - 2 * MINUTE_MS).sort((a, b) => a.at - b.at);
  return { visits: past(visits), orders: past(orders) };
}

interface Who {
  readonly timezone: string;
  readonly country: string;
  /** null: the page did not say. */
  readonly consent: Readonly<Record<string, boolean>> | null;
}

const AGREED = { analytics: true, advertising: true };

function someone(chance: Chance): Who {
  return {
    ...chance.pick(ZONES),
    consent: chance.weighted([
      [84, AGREED],
      [11, { analytics: true, advertising: false }],
      [5, null],
    ] as const),
  };
}
