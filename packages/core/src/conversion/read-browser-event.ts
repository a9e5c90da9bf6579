/** One event of the browser SDK → what happened. A batch is an array of these; its bound is the caller's. */
import { cleanAddress } from './address.ts';
import { type BrowserEvent, type BrowserPage, CONVERSION_LIMITS, type Reading } from './event.ts';
import type { Fields } from './fields.ts';
import { EVENT_NAME, EVENT_NAME_CHARACTERS } from './read-conversion.ts';
import { readObject } from './reading.ts';
import { ID_CHARACTERS, readSharedFields, VISITOR_ID } from './shared-fields.ts';
import { browserIdsOf, clickIdsOf, utmOf } from './tags.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const RESOLUTION = /^[0-9]{1,5}x[0-9]{1,5}$/;

/** Of what a browser says about itself and its page; cut there. An address only by `cleanAddress`, which cuts no click id in two. */
const CUT = { address: 64 * 1024, title: 500, word: 64 } as const;

/**
 * The same fields as a webhook's, and those of a page. Never throws. `event_time` is the browser's clock: the caller compares it with
 * the time of receipt.
 *
 * @param value a parsed JSON value from an untrusted sender
 */
export function readBrowserEvent(value: unknown): Reading<BrowserEvent> {
  return readObject(value, 'Must be a JSON object.', ['event_name', 'attribution_id'], (fields) => ({
    eventName: readEventName(fields),
    attributionId: readAttributionId(fields),
    ...withoutHalfAnAmount(readSharedFields(fields, 'refuse'), fields),
    sessionId: fields.matching(VISITOR_ID, CONVERSION_LIMITS.visitorId, ID_CHARACTERS, 'session_id'),
    userId: fields.text(CONVERSION_LIMITS.id, 'user_id'),
    eventId: fields.matching(VISITOR_ID, CONVERSION_LIMITS.visitorId, ID_CHARACTERS, 'event_id'),
    lib: fields.cutText(CUT.word, 'lib'),
    libVersion: fields.cutText(CUT.word, 'lib_version'),
    page: readPage(fields),
    screenResolution: readResolution(fields, 'screen_resolution'),
    viewportResolution: readResolution(fields, 'viewport_resolution'),
    timezone: fields.cutText(CUT.word, 'timezone'),
    browserLanguage: fields.cutText(CUT.word, 'browser_language'),
    utm: utmOf(fields.texts('utm')),
    clickIds: clickIdsOf(fields.texts('click_ids')),
    browserIds: browserIdsOf(fields.texts('browser_ids')),
    bot: fields.flag('bot') ?? false,
    sessionStart: fields.flag('session_start') ?? false,
    extra: fields.rest(),
  }));
}

function readEventName(fields: Fields): string {
  if (!fields.has('event_name')) fields.error('event_name', 'Is required, such as "page_view".');
  return fields.matching(EVENT_NAME, CONVERSION_LIMITS.eventName, EVENT_NAME_CHARACTERS, 'event_name') ?? '';
}

function readAttributionId(fields: Fields): string {
  if (!fields.has('attribution_id')) fields.error('attribution_id', 'Is required: the property’s id.');
  const text = fields.matching(UUID, CONVERSION_LIMITS.id, 'Must be a UUID.', 'attribution_id');
  return text?.toLowerCase() ?? '';
}

/** Measurements are called `value` too, without a currency: such an event is counted, its amount is none. */
function withoutHalfAnAmount<Amount extends { value: string | null; currency: string | null }>(
  shared: Amount,
  fields: Fields,
): Amount {
  if ((shared.value === null) === (shared.currency === null)) return shared;
  const [said, missing] =
    shared.value === null ? (['currency', 'value'] as const) : (['value', 'currency'] as const);
  fields.warn(said, `Was left out: an amount needs "${missing}".`);
  return { ...shared, value: null, currency: null };
}

function readPage(fields: Fields): BrowserPage {
  return {
    location: readAddress(fields, 'page_location'),
    referrer: readReferrer(fields),
    title: fields.cutText(CUT.title, 'page_title'),
  };
}

const readAddress = (fields: Fields, name: string): string | null =>
  cleanAddress(fields.cutText(CUT.address, name) ?? '');

/** An Android app is a referrer too; everything behind its package is dropped. */
function readReferrer(fields: Fields): string | null {
  const text = fields.cutText(CUT.address, 'page_referrer') ?? '';
  const app = /^android-app:\/\/[A-Za-z0-9_.]{1,200}/i.exec(text)?.[0];
  return app ?? cleanAddress(text);
}

function readResolution(fields: Fields, name: string): string | null {
  const text = fields.cutText(CUT.word, name);
  return text !== null && RESOLUTION.test(text) ? text : null;
}
