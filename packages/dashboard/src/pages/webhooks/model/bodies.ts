/** An example body per topic: the minimum, and one with every field. */
import type { Topic } from '@ghostlight/core/conversion';
import type { Size } from '../search.ts';

export type JsonValue =
  | string
  | number
  | boolean
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };
export type Body = { readonly [name: string]: JsonValue };

/** A visitor id in the form of the SDK, to be replaced by the real one. */
export const EXAMPLE_VISITOR = '7d3f0a52-91c4-4e0b-8a6d-2f5b1c9e4d10';

const EMAIL = { email: 'ada@customer.example' };
const CUSTOMER = {
  ...EMAIL,
  phone: '+49 30 901820',
  first_name: 'Ada',
  last_name: 'Lovelace',
  address: { city: 'Berlin', region: 'BE', postal_code: '10117', country: 'DE' },
};
const PRODUCTS = [
  { id: 'lamp-1', name: 'Desk lamp', quantity: 1, price: 79.9 },
  { id: 'bulb-4', name: 'Bulb, warm white', quantity: 2, price: 10 },
];
const CONSENT = { analytics: true, advertising: true };

const MINIMAL: Readonly<Record<Topic, Body>> = {
  purchase: { conversion_id: 'order-1001', value: 99.9, currency: 'EUR', user_data: EMAIL },
  lead: { conversion_id: 'lead-2001', user_data: EMAIL },
  signup: { conversion_id: 'account-3001', user_data: EMAIL },
  // Without a value, the rest of the order is refunded.
  refund: { conversion_id: 'order-1001' },
  subscription: { conversion_id: 'subscription-4001', value: 12, currency: 'EUR', user_data: EMAIL },
  custom: { event_name: 'brochure_download', conversion_id: 'brochure-5001' },
};

const FULL: Readonly<Record<Topic, Body>> = {
  purchase: {
    ...MINIMAL.purchase,
    visitor_id: EXAMPLE_VISITOR,
    tax: 15.95,
    shipping: 4.9,
    discount_code: 'GHOST10',
    user_data: CUSTOMER,
    products: PRODUCTS,
    consent: CONSENT,
  },
  lead: {
    ...MINIMAL.lead,
    visitor_id: EXAMPLE_VISITOR,
    lead_type: 'demo_request',
    value: 250,
    currency: 'EUR',
    user_data: CUSTOMER,
    consent: CONSENT,
  },
  signup: { ...MINIMAL.signup, visitor_id: EXAMPLE_VISITOR, user_data: CUSTOMER, consent: CONSENT },
  refund: {
    conversion_id: 'order-1001',
    refund_id: 'refund-1001-1',
    value: 20,
    currency: 'EUR',
    products: PRODUCTS.slice(1),
  },
  subscription: {
    ...MINIMAL.subscription,
    visitor_id: EXAMPLE_VISITOR,
    tax: 1.92,
    discount_code: 'FIRST-MONTH',
    user_data: CUSTOMER,
    products: [{ id: 'plan-pro', name: 'Pro, monthly', quantity: 1, price: 12 }],
    consent: CONSENT,
  },
  custom: {
    ...MINIMAL.custom,
    visitor_id: EXAMPLE_VISITOR,
    value: 5,
    currency: 'EUR',
    user_data: CUSTOMER,
    consent: CONSENT,
    language: 'de',
  },
};

export function exampleBody(topic: Topic, size: Size): Body {
  return (size === 'minimal' ? MINIMAL : FULL)[topic];
}
