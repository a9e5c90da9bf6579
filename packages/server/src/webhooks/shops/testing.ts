/**
 * Deliveries of shops, written after the fields that WooCommerce and Shopify document; no recording of a real shop. Members that we don't
 * read are there too, since real deliveries have them.
 */
import { createHmac } from 'node:crypto';
import type { ShopName } from './platform.ts';
import type { ShopRequest } from './receive.ts';
import { shopCalled } from './register.ts';

export const TEST_SECRET = 'a-secret-of-the-shop';
export const TEST_VISITOR = '9b2f6c1e-7d34-4c58-9f0a-1c2d3e4f5a6b';

type Json = Record<string, unknown>;

/** `GET /wc/v3/orders/{id}`, as `order.created` and `order.updated` carry it. */
export function wooOrder(more: Json = {}): Json {
  return {
    id: 727,
    parent_id: 0,
    number: '727',
    order_key: 'wc_order_58d2d042d1d',
    created_via: 'checkout',
    version: '10.3.4',
    status: 'processing',
    currency: 'EUR',
    date_created: '2026-11-21T04:00:00',
    date_created_gmt: '2026-11-21T03:00:00',
    date_modified: '2026-11-21T04:01:00',
    date_modified_gmt: '2026-11-21T03:01:00',
    discount_total: '5.00',
    discount_tax: '0.95',
    shipping_total: '4.90',
    shipping_tax: '0.93',
    cart_tax: '18.05',
    total: '118.88',
    total_tax: '18.98',
    prices_include_tax: false,
    customer_id: 26,
    customer_ip_address: '203.0.113.9',
    customer_user_agent: 'Mozilla/5.0',
    customer_note: '',
    billing: {
      first_name: 'Jane',
      last_name: 'Doe',
      company: '',
      address_1: 'Weg 1',
      address_2: '',
      city: 'Berlin',
      state: 'DE-BE',
      postcode: '10115',
      country: 'DE',
      email: 'jane@customer.example',
      phone: '030 901820',
    },
    shipping: { first_name: 'Jane', last_name: 'Doe', city: 'Berlin', country: 'DE' },
    payment_method: 'stripe',
    payment_method_title: 'Card',
    transaction_id: 'pi_1',
    date_paid: '2026-11-21T04:01:00',
    date_paid_gmt: '2026-11-21T03:01:00',
    date_completed: null,
    date_completed_gmt: null,
    cart_hash: '47194994dce1b0b5e7b3a2f7a2bd6d3b',
    meta_data: [
      { id: 13106, key: 'visitor_id', value: `v1.${TEST_VISITOR}.1763690000` },
      { id: 13107, key: '_wc_order_attribution_source_type', value: 'utm' },
      { id: 13108, key: '_wc_order_attribution_utm_source', value: 'newsletter' },
      { id: 13109, key: '_wc_order_attribution_utm_medium', value: 'email' },
      { id: 13110, key: '_wc_order_attribution_referrer', value: 'https://mail.example/read' },
      {
        id: 13111,
        key: '_wc_order_attribution_session_entry',
        value: 'https://shop.example/sale/?gclid=Abc-1',
      },
      { id: 13112, key: '_tracking', value: { nested: ['not', 'text'] } },
    ],
    line_items: [
      {
        id: 315,
        name: 'Lamp',
        product_id: 93,
        variation_id: 95,
        quantity: 3,
        tax_class: '',
        subtotal: '100.00',
        subtotal_tax: '19.00',
        total: '95.00',
        total_tax: '18.05',
        taxes: [],
        meta_data: [],
        sku: 'LAMP-1',
        price: 31.666666666666668,
      },
    ],
    tax_lines: [],
    shipping_lines: [],
    fee_lines: [],
    coupon_lines: [{ id: 318, code: 'SPRING', discount: '5', discount_tax: '0.95' }],
    refunds: [],
    ...more,
  };
}

export const wooSubscription = (more: Json = {}): Json => ({
  ...wooOrder(),
  id: 801,
  number: '801',
  parent_id: 727,
  status: 'active',
  billing_period: 'month',
  billing_interval: '1',
  start_date_gmt: '2026-11-21T03:00:00',
  next_payment_date_gmt: '2026-12-21T03:00:00',
  ...more,
});

const set = (amount: string, presentment = amount, currency = 'EUR') => ({
  shop_money: { amount, currency_code: 'EUR' },
  presentment_money: { amount: presentment, currency_code: currency },
});

/** The Order resource, as `orders/*` carry it. */
export function shopifyOrder(more: Json = {}): Json {
  return {
    id: 820982911946,
    admin_graphql_api_id: 'gid://shopify/Order/820982911946',
    app_id: 580111,
    buyer_accepts_marketing: true,
    cancel_reason: null,
    cancelled_at: null,
    cart_token: 'c1-token',
    confirmed: true,
    contact_email: 'jane@customer.example',
    created_at: '2026-11-21T03:00:00+00:00',
    currency: 'EUR',
    current_total_price: '118.88',
    discount_codes: [{ code: 'SPRING', amount: '5.00', type: 'fixed_amount' }],
    email: 'jane@customer.example',
    financial_status: 'paid',
    fulfillment_status: null,
    landing_site: '/collections/sale?utm_source=newsletter&utm_medium=email&gclid=Abc-1',
    name: '#1001',
    note: null,
    note_attributes: [{ name: 'visitor_id', value: TEST_VISITOR }],
    number: 1,
    order_number: 1001,
    phone: null,
    presentment_currency: 'EUR',
    processed_at: '2026-11-21T03:00:00+00:00',
    referring_site: 'https://mail.example/read',
    source_name: 'web',
    subtotal_price: '95.00',
    tags: '',
    taxes_included: false,
    test: false,
    total_discounts: '5.00',
    total_price: '118.88',
    total_price_set: set('118.88'),
    total_shipping_price_set: set('4.90'),
    total_tax: '18.98',
    total_tax_set: set('18.98'),
    updated_at: '2026-11-21T03:01:00+00:00',
    billing_address: {
      first_name: 'Jane',
      last_name: 'Doe',
      address1: 'Weg 1',
      phone: '+49 30 901820',
      city: 'Berlin',
      zip: '10115',
      province: null,
      province_code: null,
      country: 'Germany',
      country_code: 'DE',
    },
    customer: {
      id: 207119551,
      email: 'jane@customer.example',
      first_name: 'Jane',
      last_name: 'Doe',
      phone: null,
    },
    line_items: [
      {
        id: 866550311766439,
        product_id: 7513594,
        variant_id: 39072856,
        title: 'Lamp',
        name: 'Lamp - brass',
        sku: 'LAMP-1',
        quantity: 3,
        price: '33.33',
        price_set: set('33.33'),
        total_discount: '0.00',
      },
    ],
    refunds: [],
    ...more,
  };
}

/** The Refund resource, as `refunds/create` and `refunds` of an order carry it. @param amount of one payment; what goes back */
export function shopifyRefund(id: number, amount: string, more: Json = {}): Json {
  return {
    id,
    order_id: 820982911946,
    created_at: '2026-11-21T05:00:00+00:00',
    processed_at: '2026-11-21T05:00:00+00:00',
    note: 'wrong size',
    restock: true,
    refund_line_items: [
      {
        id: id * 10,
        quantity: 1,
        line_item_id: 866550311766439,
        subtotal_set: set(amount),
        total_tax_set: set('0.00'),
      },
    ],
    order_adjustments: [],
    transactions: [
      {
        id: id * 100,
        order_id: 820982911946,
        kind: 'refund',
        status: 'success',
        amount,
        currency: 'EUR',
        gateway: 'bogus',
      },
    ],
    ...more,
  };
}

/** Headers in lower case. */
export function shopHeaders(
  platform: ShopName,
  topic: string,
  body: string,
  { secret = TEST_SECRET, delivery = 'd-1' }: { secret?: string; delivery?: string } = {},
): Record<string, string> {
  const { headers } = shopCalled(platform);
  return {
    [headers.topic.toLowerCase()]: topic,
    [headers.delivery.toLowerCase()]: delivery,
    [headers.signature.toLowerCase()]: createHmac('sha256', secret).update(body).digest('base64'),
  };
}

/** A delivery as the endpoint hands it on. @param headers instead of those that fit */
export function shopDelivery(
  platform: ShopName,
  attributionId: string,
  topic: string,
  json: unknown,
  headers?: Readonly<Record<string, string>>,
): ShopRequest {
  const body = typeof json === 'string' ? json : JSON.stringify(json);
  const sent = headers ?? shopHeaders(platform, topic, body);
  return {
    platform,
    attributionId,
    boundTo: null,
    header: (name) => sent[name.toLowerCase()],
    ip: '198.51.100.7',
    readBody: async (_, meter) => {
      meter(Buffer.byteLength(body));
      return Buffer.from(body);
    },
  };
}
