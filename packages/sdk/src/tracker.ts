/** The flow: a call of the page becomes an event; consent decides whether it is stored and sent, or waits in memory. */
import type { Attribution, Consent, Ghostlight, Options, PageParams, Params } from './api.ts';
import { readAddress, readBrowserIds } from './arrival.ts';
import { attempt, toJson } from './attempt.ts';
import { environment, uuid, watchNavigation } from './environment.ts';
import { mask } from './mask.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import {
  type Event,
  eraseStore,
  keep,
  kept,
  LANDING,
  merged,
  openStore,
  QUEUE,
  readConsent,
  readStamp,
  SESSION,
  type Store,
  VISITOR,
  writeConsent,
  writeStamp,
} from './store.ts';

const SESSION_TIMEOUT_MS = 1_800_000;
/** Frameworks set the title after the address, and some pass through several addresses: one view, of where it ends. */
const SETTLING_MS = 100;

/** `track` is typed by the name of its event where the page calls it. */
export interface Tracker extends Omit<Ghostlight, 'track' | 'ready'> {
  track(name: string, params?: Params): void;
}

const now = () => Math.floor(Date.now() / 1000);
/** Its query is nothing but tags. */
const isTagged = (landing: Attribution | null) => landing?.page_location.includes('?');

/**
 * Touches nothing of the browser before `init`.
 * @param onStart is called when it has started: later than `init` where the page is rendered ahead, and may never be seen
 */
export function createTracker(onStart: () => void): Tracker {
  const store: Store = { isOpen: false, memory: {} };
  let options = {} as Options;
  let outbox: Outbox;
  let consent: Consent | null = null;
  let identity: Params = {};
  let landing: Attribution | null = null;
  let address = '';
  let referrer = '';
  let settling: ReturnType<typeof setTimeout> | undefined;
  let isAdopted = false;
  let isReset = false;

  const getVisitorId = () => readStamp(store, VISITOR)[0];
  const renewVisitor = () => writeStamp(store, VISITOR, uuid(), now());

  /** The running session's id, or `''`. A clock that was set back ends it too. */
  function getSessionId(): string {
    const [id, last] = readStamp(store, SESSION);
    return Math.abs(now() - last) * 1000 < (options.sessionTimeout || SESSION_TIMEOUT_MS) ? id : '';
  }

  /** @param granted the consent; null: not asked any more, since the consent cookie has gone */
  function apply(granted: Consent | null): void {
    const wasOpen = store.isOpen;
    consent = granted;
    if (granted?.analytics) {
      if (!wasOpen) open();
      writeConsent(store, granted);
      outbox.update((events) => events.map(withinConsent));
    } else {
      eraseStore(store);
      renewVisitor();
      isReset = true;
      if (wasOpen) {
        landing = null;
        outbox.update(() => []);
      }
    }
  }

  /** What an earlier page kept counts before what this page has made up in memory. */
  function open(): void {
    openStore(store, options.cookieDomain);
    writeStamp(store, VISITOR, ...readStamp(store, VISITOR));
    if (!isTagged(landing)) landing = kept(LANDING) || landing;
    outbox.update((events) => (kept(QUEUE) || []).concat(events.map(seal)));
  }

  /** The consent cookie is the truth for all tabs and hosts of the site: a withdrawal in one of them counts in this one from its next event on. */
  function isAllowed(): boolean {
    if (store.isOpen && store.domain !== undefined) {
      const granted = readConsent();
      if (granted) consent = granted;
      else apply(granted);
    }
    return store.isOpen;
  }

  /** An event gets the ids that consent allows. */
  function seal(event: Event): Event {
    const running = getSessionId();
    const session = running || uuid();
    writeStamp(store, SESSION, session, now());
    if (landing && !landing.session_id) {
      landing.session_id = session;
      keep(store, LANDING, landing);
    }
    Object.assign(event, {
      visitor_id: getVisitorId(),
      session_id: session,
      session_start: !running,
      visitor_reset: isReset,
      browser_ids: readBrowserIds(),
    });
    if (landing?.session_id === session) {
      event['utm'] = landing.utm;
      event['click_ids'] = landing.click_ids;
    }
    isReset = false;
    return withinConsent(event);
  }

  function withinConsent(event: Event): Event {
    event['consent'] = consent;
    if (!consent?.advertising) {
      delete event['browser_ids'];
      delete event['user_data'];
    }
    return event;
  }

  function capture(name: string, params?: Params | null): void {
    const { user_id, ...person } = identity;
    const event = {
      ...environment(),
      page_location: location.href,
      page_referrer: referrer,
      page_title: document.title,
      ...params,
      user_id,
      user_data: { ...person, ...(params?.['user_data'] as object) },
      event_name: name,
      event_id: uuid(),
      event_time: now(),
      attribution_id: options.attributionId,
    };
    event.page_location = readAddress(event.page_location).page_location;
    event.page_referrer = readAddress(event.page_referrer).page_location;
    event.page_title = mask(event.page_title);
    // A copy: what the page changes in its objects afterwards is none of this event.
    const copy = JSON.parse(toJson(event));
    if (isAllowed()) seal(copy);
    outbox.update((events) => events.concat(copy));
  }

  function page(params?: PageParams): void {
    const here = location.href.replace(/#(?!\/).*/, '');
    if (!params && here === address) return;
    if (address && here !== address) referrer = address;
    address = here;
    // An address without a campaign leaves the earlier landing as it is.
    const arrival: Attribution = {
      ...readAddress(here),
      page_referrer: readAddress(referrer).page_location,
      at: now(),
    };
    if (!landing || isTagged(arrival)) landing = arrival;
    capture('page_view', params);
  }

  /** Sends the view of an address that is still settling, so that what happens there comes after it. */
  function settle(): void {
    if (!settling) return;
    // It returns undefined.
    settling = clearTimeout(settling) as undefined;
    attempt(page);
  }

  /** Once: the service knows this browser by a cookie of its own, which lives longer than ours. */
  function adopt(sent: Event, { visitor_id: known }: { visitor_id?: unknown }): void {
    const [id, since] = readStamp(store, VISITOR);
    if (isAdopted || sent['visitor_id'] !== id || !/^[\w-]{36}$/.test(known as string)) return;
    isAdopted = true;
    writeStamp(store, VISITOR, known as string, since);
  }

  function start(): void {
    const url = `${options.endpoint.replace(/\/$/, '')}/api/events`;
    outbox = createOutbox(url, options.credentials, store, isAllowed, adopt);
    referrer = document.referrer;
    renewVisitor();
    consent = options.consent ? merged(options.consent) : readConsent();
    // A refusal here deletes nothing: sites refuse by default, until their consent manager says what the visitor has chosen.
    if (consent?.analytics) apply(consent);
    for (const type of ['visibilitychange', 'pagehide', 'online']) {
      addEventListener(type, () => {
        settle();
        outbox.flush(type === 'pagehide' || document.hidden);
      });
    }
    if (options.autoPage !== false) {
      attempt(page);
      watchNavigation((isReturn) => {
        clearTimeout(settling);
        settling = setTimeout(settle, SETTLING_MS);
        if (isReturn) address = '';
      });
    }
    onStart();
  }

  return {
    init(given) {
      if (options.attributionId || !given.attributionId) return;
      options = given;
      if ((document as { prerendering?: boolean }).prerendering) {
        document.addEventListener('prerenderingchange', () => attempt(start));
      } else start();
    },
    page,
    track(name, params) {
      settle();
      capture(name, params);
    },
    identify(more) {
      identity = { ...identity, ...more };
    },
    getVisitorId,
    getSessionId,
    getAttribution: () => landing && { ...landing },
    setConsent: (consents) => apply(merged(consents, consent)),
    getConsent: () => consent,
    reset() {
      renewVisitor();
      // Long over: the next event begins another.
      writeStamp(store, SESSION, '0', 0);
      keep(store, LANDING, null);
      landing = null;
      identity = {};
      isReset = true;
    },
  };
}
