/** For the room's tests: properties, events as pages send them, and accepted ones. */
import { randomUUID } from 'node:crypto';
import { type BrowserEvent, compileLists, embeddedLists, readBrowserEvent } from '@ghostlight/core';
import { DEFAULT_ORGANIZATION_ID } from '../common/index.ts';
import { createSecretCipher, type Database } from '../database/index.ts';
import { createProperties, type Property } from '../properties/index.ts';
import { type AcceptContext, accept } from './accept.ts';
import type { AcceptedEvent } from './accepted.ts';

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
/** 2026-03-15T12:00:00Z: far from a month's border. */
export const NOON = Date.UTC(2026, 2, 15, 12);

export const SECRET = 'a secret of the tests, long enough';
export const cipher = createSecretCipher(SECRET);
export const lists = compileLists(embeddedLists());

export async function newProperty(database: Database, domain = 'shop.example'): Promise<Property> {
  const properties = createProperties(database, { clock: () => NOON });
  return await properties.create({ kind: 'organization', id: DEFAULT_ORGANIZATION_ID }, 'root', {
    name: 'Shop',
    domain,
  });
}

/** As the SDK sends it. */
export function wire(attributionId: string, values: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    event_name: 'page_view',
    event_id: randomUUID(),
    attribution_id: attributionId,
    visitor_id: 'visitor-1',
    session_id: 'session-1',
    page_location: 'https://shop.example/',
    page_referrer: '',
    consent: { analytics: true, advertising: true },
    ...values,
  };
}

export function accepted(
  { id, organizationId, domain }: Property,
  values: Record<string, unknown> = {},
  context: Partial<AcceptContext> = {},
): AcceptedEvent {
  const event = readEvent(wire(id, values));
  return accept(
    event,
    event.visitorId,
    { organizationId, domain, refuseForeignOrigins: false, allowedOrigins: [] },
    {
      lists,
      isBot: (userAgent) => /bot/i.test(userAgent),
      cipher,
      receivedAt: NOON,
      ip: '203.0.113.7',
      userAgent: CHROME,
      ...context,
    },
  );
}

function readEvent(value: unknown): BrowserEvent {
  const reading = readBrowserEvent(value);
  if ('event' in reading) return reading.event;
  throw new Error(JSON.stringify(reading.errors));
}
