/**
 * `POST /api/events`: admit → read → resolve property → check origin → validate → spool → answer. A refused request costs no more than it took to
 * find that out; nothing here can hold up the edge's hits, which have a spool and a limit of their own.
 */
import { type FieldError, networkOf, ServiceError, sum } from '../common/index.ts';
import type { SpoolEntry, SpoolReceipt, SpoolRow } from '../spool/index.ts';
import { type AcceptContext, accept } from './accept.ts';
import type { AcceptedEvent } from './accepted.ts';
import { readBody } from './body.ts';
import type { EventCounters, Refusal } from './counters.ts';
import type { Observations } from './observations.ts';
import { isOwnHost, originHost } from './origin.ts';
import type { SessionsDeps } from './ports.ts';
import { createPlaces, type RateLimit } from './rate-limit.ts';
import { parseEvents, readEvents } from './read-events.ts';
import { recognize } from './recognize.ts';
import { monthOf } from './recorder.ts';
import type { EventProperty, SettingsStore } from './settings.ts';
import { issue, sharedDomain } from './visitor-cookie.ts';

/** A queue that was offline; the SDK sends no more than 20. */
const MAX_EVENTS = 256;
/** Requests that are worked on at a time, whose bodies are here: a sender that drips its body holds none of them. */
const MAX_IN_FLIGHT = 512;
/** Bodies that arrive at a time, 64 KiB each: of one address (an office, a mobile carrier), and of all. */
const MAX_ARRIVING_PER_ADDRESS = 64;
const MAX_ARRIVING = 4_096;
const RETRY_SOON = { 'Retry-After': '5' };

export interface EndpointDeps
  extends Pick<SessionsDeps, 'cipher' | 'properties' | 'lists' | 'isBot' | 'domains' | 'clock' | 'log'> {
  readonly settings: Pick<SettingsStore, 'propertyOf'>;
  readonly spool: {
    accepting(): boolean;
    append(entry: SpoolEntry): Promise<SpoolReceipt>;
  };
  readonly observations: Pick<Observations, 'note'>;
  readonly counters: EventCounters;
  readonly limits: { readonly address: RateLimit; readonly property: RateLimit };
}

export interface Sender {
  readonly ip: string;
  /** The host that was asked, lower-case, without a port. */
  readonly host: string;
}

export interface EventsAnswer {
  readonly visitorId: string | null;
  /** Events of the request that were not taken, by their place in it. */
  readonly errors: readonly FieldError[];
  readonly cookies: readonly string[];
}

export interface EventsEndpoint {
  /** Resolves when what was taken is on disk. @throws ServiceError for a request of which nothing was taken */
  take(request: Request, sender: Sender): Promise<EventsAnswer>;
  /** Counts that no entry took along yet. */
  settle(): Promise<void>;
}

export function createEndpoint(deps: EndpointDeps): EventsEndpoint {
  const { counters, limits, spool } = deps;
  let inFlight = 0;
  const arriving = createPlaces(MAX_ARRIVING_PER_ADDRESS, MAX_ARRIVING);

  const refuse = (reason: Refusal, error: ServiceError): never => {
    counters.refuse(reason);
    throw error;
  };
  const limited = (reason: 'address_limit' | 'property_limit', waitMs: number): void => {
    if (waitMs === 0) return;
    const detail =
      reason === 'address_limit'
        ? 'This address has sent too many events; send them again later.'
        : 'This property’s pages have sent too many events; send them again later.';
    const headers = { 'Retry-After': String(Math.ceil(waitMs / 1_000)) };
    refuse(reason, new ServiceError('rate_limited', detail, { headers }));
  };

  const tooBusy = (): never =>
    refuse(
      'busy',
      new ServiceError('rate_limited', 'Too many events at once; send them again later.', {
        headers: RETRY_SOON,
      }),
    );

  const read = async (request: Request): Promise<unknown[]> => {
    const text = await readBody(request).catch((error: unknown) => {
      const code = error instanceof ServiceError ? error.code : '';
      counters.refuse(
        code === 'body_too_large' ? 'too_large' : code === 'request_timeout' ? 'timeout' : 'malformed',
      );
      throw error;
    });
    const values = parseEvents(text);
    if (values === null)
      return refuse(
        'malformed',
        new ServiceError('malformed_body', 'Send one event, or an array of events, as JSON.'),
      );
    if (values.length <= MAX_EVENTS) return values;
    return refuse(
      'too_large',
      new ServiceError('invalid', `A request can have at most ${MAX_EVENTS} events.`),
    );
  };

  const lookUp = async (attributionId: string): Promise<EventProperty | null> => {
    try {
      // The directory knows a deletion at once, the settings moments later.
      const owner = await deps.properties.ownerOf(attributionId);
      return owner === null ? null : await deps.settings.propertyOf(attributionId);
    } catch (error) {
      // Counted: pages go on sending while the database is down, and the log is for other things.
      deps.log.debug({ err: error }, 'a property could not be looked up');
      return refuse(
        'database_away',
        new ServiceError('unavailable', 'Nothing was stored. Send it again later.', { headers: RETRY_SOON }),
      );
    }
  };

  /** @throws ServiceError `not_found`, so that the developer who installs the SDK sees why nothing shows */
  const whose = async (attributionId: string, count: number, sender: Sender): Promise<EventProperty> => {
    const domain = deps.domains.domainOf(sender.host);
    const property = await lookUp(attributionId);
    if (property !== null && (domain === null || domain.attributionId === attributionId)) return property;
    counters.reject('unknown_property', count);
    throw new ServiceError(
      'not_found',
      property === null
        ? 'No property has this attribution_id; copy it from the dashboard.'
        : 'This host receives events for another property.',
    );
  };

  const fromWhere = (request: Request, id: string, property: EventProperty, count: number): void => {
    const origin = originHost(request.headers.get('origin'));
    const isForeign = origin !== '' && !isOwnHost(origin, property);
    const refused = isForeign && property.refuseForeignOrigins;
    const { organizationId } = property;
    deps.observations.note({ attributionId: id, organizationId, origin, isForeign, refused, events: count });
    if (!refused) return;
    counters.reject('foreign_origin', count);
    throw new ServiceError(
      'forbidden',
      'This property rejects events from pages outside its domain; allow this host in its settings.',
    );
  };

  const keep = async (accepted: readonly AcceptedEvent[]): Promise<void> => {
    const rejected = counters.take();
    const refused = sum(Object.values(rejected));
    if (accepted.length + refused === 0) return;
    try {
      await spool.append({
        endpoint: 'browser',
        received: accepted.length + refused,
        rows: accepted.map(toSpoolRow),
        dropped: {},
        rejected,
        quarantine: [],
      });
    } catch (error) {
      counters.giveBack(rejected);
      if (accepted.length === 0) return;
      deps.log.error({ err: error }, 'events could not be stored');
      refuse(
        'spool_full',
        new ServiceError('unavailable', 'Nothing was stored. Send it again later.', { headers: RETRY_SOON }),
      );
    }
  };

  const handle = async (
    request: Request,
    sender: Sender,
    values: readonly unknown[],
  ): Promise<EventsAnswer> => {
    if (values.length === 0) return { visitorId: null, errors: [], cookies: [] };
    limited('address_limit', limits.address.take(networkOf(sender.ip), values.length - 1));
    const { events, errors } = readEvents(values, counters);
    const [first] = events;
    if (first === undefined)
      throw new ServiceError('invalid', 'None of the events could be accepted.', { errors });
    const property = await whose(first.attributionId, events.length, sender);
    fromWhere(request, first.attributionId, property, events.length);
    limited('property_limit', limits.property.take(first.attributionId, events.length));
    const context: AcceptContext = {
      lists: deps.lists.current(),
      isBot: deps.isBot,
      cipher: deps.cipher,
      receivedAt: deps.clock(),
      ip: sender.ip,
      userAgent: request.headers.get('user-agent') ?? '',
    };
    const who = recognize(request, events, deps.domains, sender.host, context.receivedAt);
    await keep(events.map((event) => accept(event, who.visitorOf(event), property, context)));
    const last = events.at(-1);
    return {
      visitorId: who.stamp?.visitorId ?? (last === undefined ? null : who.visitorOf(last)),
      errors,
      cookies: who.stamp === null ? [] : issue(who.stamp, sharedDomain(sender.host, property.domain)),
    };
  };

  return {
    async take(request, sender) {
      if (!spool.accepting())
        refuse(
          'spool_full',
          new ServiceError('unavailable', 'The service is full right now; send the events again later.', {
            headers: RETRY_SOON,
          }),
        );
      const address = networkOf(sender.ip);
      limited('address_limit', limits.address.take(address, 1));
      const leave = arriving.take(address);
      if (leave === null) return tooBusy();
      const values = await read(request).finally(leave);
      if (inFlight >= MAX_IN_FLIGHT) return tooBusy();
      inFlight += 1;
      try {
        return await handle(request, sender, values);
      } finally {
        inFlight -= 1;
      }
    },
    settle: () => keep([]),
  };
}

function toSpoolRow(event: AcceptedEvent): SpoolRow {
  return {
    line: JSON.stringify(event),
    month: monthOf(event.row.at),
    dedupKey: `${event.attribution_id}:${event.event_id}`,
    label: event.row.sdk_bot ? 'sdk_bot' : 'event',
  };
}
