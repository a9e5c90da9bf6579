/** The conversion with which a destination is tested: fictitious, but complete, so that every platform finds what it looks for. */
import { randomUUID } from 'node:crypto';
import { AD_CLICK_IDS, type Topic } from '@ghostlight/core';
import { MINUTE_MS } from '@ghostlight/core/time';
import type { ForwardedConversion, MatchContext } from '../destinations/index.ts';

const PRODUCT = { extra: {}, quantity: '1', discount: null };
const HASHLIKE = 'GhostlightTest';

/** @param now epoch ms; a platform that deduplicates takes each for a new one */
export function sampleConversion(topic: Topic, attributionId: string, now: number): ForwardedConversion {
  const id = randomUUID().replaceAll('-', '');
  const isPaid = topic === 'purchase' || topic === 'subscription' || topic === 'refund';
  return {
    id: `cnv_${id}`,
    attributionId,
    topic,
    conversionId: `test-${id.slice(0, 12)}`,
    refundId: topic === 'refund' ? `test-refund-${id.slice(0, 8)}` : null,
    eventName: topic === 'custom' ? 'ghostlight_test' : null,
    occurredAt: now - MINUTE_MS,
    receivedAt: now,
    value: '29.90',
    currency: 'EUR',
    tax: isPaid ? '4.77' : null,
    shipping: isPaid ? '3.90' : null,
    discountCode: null,
    leadType: topic === 'lead' ? 'test' : null,
    products: isPaid
      ? [
          { ...PRODUCT, id: 'TEST-1', sku: 'TEST-1', name: 'Test product', price: '16.00' },
          { ...PRODUCT, id: 'TEST-2', sku: 'TEST-2', name: 'Second test product', price: '10.00' },
        ]
      : [],
    user: {
      email: 'test@example.com',
      phone: '+49 30 901820',
      firstName: 'Test',
      lastName: 'Person',
      address: {
        street: 'Teststraße 1',
        city: 'Berlin',
        region: 'Berlin',
        postalCode: '10115',
        country: 'DE',
        extra: {},
      },
      extra: {},
    },
  };
}

/** As if the visitor had come over every ad at once, and agreed to everything. */
export function sampleContext(conversion: ForwardedConversion, host: string): MatchContext {
  const at = conversion.occurredAt - MINUTE_MS;
  const second = Math.floor(at / 1_000);
  const clickIds = Object.fromEntries(AD_CLICK_IDS.map(({ name }) => [name, `${HASHLIKE}-${name}`]));
  const browserIds = {
    _fbp: `fb.1.${at}.1234567890`,
    _ga: `GA1.1.1234567890.${second}`,
    _ttp: `${HASHLIKE}TtpCookieValue`,
    _scid: '00000000-0000-4000-8000-000000000000',
    _uetvid: '00000000000040008000000000000000',
    _epik: `${HASHLIKE}EpikCookieValue`,
    _rdt_uuid: `${at}.00000000-0000-4000-8000-000000000000`,
  };
  return {
    visitorId: '00000000-0000-4000-8000-000000000000',
    firstSeen: at,
    touch: {
      id: 'test',
      at,
      sessionId: String(second),
      landing: { host, path: '/' },
      referrerHost: '',
      utm: { source: 'ghostlight', medium: 'cpc', campaign: 'test' },
      clickIds,
      browserIds,
      channel: 'paid_search',
      platform: 'google',
      paid: true,
      source: 'ghostlight',
      medium: 'cpc',
      campaign: 'test',
      conflict: false,
    },
    clickIds: Object.fromEntries(Object.entries(clickIds).map(([name, value]) => [name, { value, at }])),
    browserIds,
    // From the range reserved for documentation.
    client: { ip: '192.0.2.1', userAgent: 'Mozilla/5.0 (compatible; Ghostlight test)' },
    pageUrl: `https://${host}/`,
    referrer: null,
    consent: { advertising: 'granted', analytics: 'granted', saleOfData: null },
    original:
      conversion.topic === 'refund'
        ? {
            conversionId: conversion.conversionId,
            occurredAt: conversion.occurredAt - MINUTE_MS,
            value: conversion.value,
            currency: conversion.currency,
            remaining: '0',
            forwarded: true,
          }
        : null,
  };
}
