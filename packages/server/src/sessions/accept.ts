/** What happens to an event between its reading and the spool: validated, checked against our clock, and stripped of data without consent. */
import { randomUUID } from 'node:crypto';
import {
  type BrowserEvent,
  type CompiledLists,
  consentRegionOfZone,
  describeArrival,
  hitId,
  maskFoundIn,
  parseReferrer,
  tagsOf,
} from '@ghostlight/core';
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import type { SecretCipher } from '../database/index.ts';
import { type AcceptedEvent, clientPurpose, type Visit } from './accepted.ts';
import type { EventProperty } from './settings.ts';

/** What is the same for all events of a request. */
export interface AcceptContext {
  readonly lists: CompiledLists;
  readonly isBot: (userAgent: string) => boolean;
  readonly cipher: SecretCipher;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly ip: string;
  readonly userAgent: string;
}

/** A browser's clock is trusted within these; outside, the event happened when it came. */
const AHEAD_MS = 5 * MINUTE_MS;
const LATE_MS = DAY_MS;

/** The SDK's signal that the visitor is another person from this event on: said to the endpoint, no parameter of the page's. */
export const RESET = 'visitor_reset';

const MAX_USER_AGENT = 1_024;
const MAX_PARAMS = 4_096;

/** @param visitorId whose event it is; the request's cookie may be more reliable than the page */
export function accept(
  event: BrowserEvent,
  visitorId: string | null,
  property: EventProperty,
  context: AcceptContext,
): AcceptedEvent {
  const { receivedAt } = context;
  const at = heldTime(event.eventTime, receivedAt);
  const machine = judge(event, context);
  // Refused analytics: the event counts, but identifies no visitor.
  const mayKnow = event.consent?.analytics !== false;
  const eventId = event.eventId ?? randomUUID();
  const owner = { organization_id: property.organizationId, attribution_id: event.attributionId };
  const identified = mayKnow && machine === null && visitorId !== null;
  return {
    source: 'browser',
    ...owner,
    event_id: eventId,
    receipt: randomUUID(),
    received_at: receivedAt,
    visit: identified ? visitOf(event, visitorId, at, property, context) : null,
    row: {
      id: hitId(event.attributionId, `event:${eventId}`),
      ...owner,
      at,
      received_at: receivedAt,
      event_name: event.eventName,
      visitor_id: mayKnow ? (visitorId ?? '') : '',
      session_id: mayKnow ? (event.sessionId ?? '') : '',
      user_id: mayKnow ? pseudonym(event.userId) : '',
      sdk_bot: machine !== null,
      bot_name: machine?.bot_name ?? '',
      vendor: machine?.vendor ?? '',
      intent: machine?.intent ?? '',
      ...pageOf(event),
      title: event.page.title ?? '',
      referrer: referrerHost(event),
      user_agent: machine === null ? '' : userAgentOf(context),
      language: event.browserLanguage ?? '',
      timezone: event.timezone ?? '',
      conversion_id: event.conversionId ?? '',
      value: event.value ?? '',
      currency: event.currency ?? '',
      params: paramsOf(event),
      lib: event.lib ?? '',
      lib_version: event.libVersion ?? '',
    },
  };
}

function heldTime(told: number | null, receivedAt: number): number {
  if (told === null || told > receivedAt + AHEAD_MS || told < receivedAt - LATE_MS) return receivedAt;
  return told;
}

interface Machine {
  readonly bot_name: string;
  readonly vendor: string;
  readonly intent: AcceptedEvent['row']['intent'];
}

const UNNAMED: Machine = { bot_name: '', vendor: '', intent: '' };

/** Null: a person, as far as is known. A browser always says who it is: an empty user agent is a program's. */
function judge(event: BrowserEvent, { lists, isBot, userAgent }: AcceptContext): Machine | null {
  const named = lists.tokens.match(userAgent);
  if (named !== null) return { bot_name: named.bot_name, vendor: named.vendor, intent: named.intent };
  return event.bot || userAgent === '' || isBot(userAgent) ? UNNAMED : null;
}

function visitOf(
  event: BrowserEvent,
  visitorId: string,
  at: number,
  property: EventProperty,
  { lists, cipher, ip, userAgent }: AcceptContext,
): Visit {
  const { host, path } = pageOf(event);
  const { consent } = event;
  const arrival = describeArrival({
    location: event.page.location ?? '',
    referrer: event.page.referrer ?? '',
    utm: event.utm,
    clickIds: event.clickIds,
    aiReferrers: lists.referrers,
    ownDomains: [property.domain.replace(/^www\./, ''), ...property.allowedOrigins],
  });
  // Ad platforms match by these; without consent to advertising they get none.
  const client = { ip, user_agent: userAgent.slice(0, MAX_USER_AGENT).toWellFormed() };
  const mayAdvertise = consent?.advertising === true;
  return {
    visitorId,
    // Without a session of the page's own, a day of the visitor's is one.
    sessionId: event.sessionId ?? `day-${new Date(at).toISOString().slice(0, 10)}`,
    at,
    isPage: event.eventName === 'page_view',
    host,
    path,
    referrerHost: referrerHost(event),
    arrival,
    browserIds: consent?.advertising === false ? {} : event.browserIds,
    opensSession: event.sessionStart,
    consent: consent === null ? null : JSON.stringify(toWire(consent)),
    client:
      arrival !== null && mayAdvertise
        ? cipher.encrypt(JSON.stringify(client), clientPurpose(event.attributionId, visitorId))
        : null,
    region: consentRegionOfZone(event.timezone ?? ''),
  };
}

const toWire = ({
  analytics,
  advertising,
  preferences,
  saleOfData,
}: NonNullable<BrowserEvent['consent']>) => ({
  analytics,
  advertising,
  preferences,
  sale_of_data: saleOfData,
});

/** The location was cleaned as it was read: its query holds campaign tags and nothing else. */
function pageOf(event: BrowserEvent): Pick<AcceptedEvent['row'], 'host' | 'path' | 'query_params'> {
  const page = URL.parse(event.page.location ?? '');
  if (page === null) return { host: '', path: '', query_params: {} };
  const { utm, clickIds } = tagsOf(page.searchParams);
  const tags = Object.entries(utm).map(([name, value]) => [`utm_${name}`, value]);
  return {
    host: page.hostname,
    path: page.pathname,
    query_params: { ...Object.fromEntries(tags), ...clickIds },
  };
}

function referrerHost(event: BrowserEvent): string {
  return parseReferrer(event.page.referrer ?? '')?.host ?? '';
}

/** Shops use the email address as the customer's id: such an id is no pseudonym, and stays out of the warehouse. */
function pseudonym(userId: string | null): string {
  return userId === null || userId.includes('@') ? '' : userId;
}

function userAgentOf({ userAgent }: AcceptContext): string {
  return userAgent.slice(0, MAX_USER_AGENT).toWellFormed();
}

/** The free parameters, without what tells about a person; of too many the page's own order decides which are kept. */
function paramsOf(event: BrowserEvent): string {
  const kept: [string, unknown][] = [];
  let size = 2;
  for (const [name, told] of Object.entries(event.extra)) {
    if (name === RESET) continue;
    const value = maskFoundIn(told);
    const length = JSON.stringify([name, value]).length + 1;
    if (size + length > MAX_PARAMS) continue;
    size += length;
    kept.push([name, value]);
  }
  return JSON.stringify(Object.fromEntries(kept));
}
