/**
 * What the folder of a platform says: how to set it up, what a conversion becomes there, what a request looks like, what an answer
 * means. Data and pure functions alone: nothing here sends, waits, reads a clock or keeps anything. `forwarding/` does all of that.
 */
import type { JsonObject, Product, Topic, Touch, UserData } from '@ghostlight/core';
import type { z } from 'zod';

export const PLATFORMS = [
  'meta',
  'google_ads',
  'ga4',
  'tiktok',
  'linkedin',
  'microsoft',
  'pinterest',
  'snap',
  'reddit',
  'openai',
  'webhook',
] as const;
export type Platform = (typeof PLATFORMS)[number];

/** A conversion as it was received, its personal data opened. Times in epoch ms, money as decimal text. */
export interface ForwardedConversion {
  /** `cnv_…`. */
  readonly id: string;
  readonly attributionId: string;
  readonly topic: Topic;
  /** The sender's; the event id at every platform, shared with the browser's pixel. */
  readonly conversionId: string;
  readonly refundId: string | null;
  /** Topic `custom` alone. */
  readonly eventName: string | null;
  readonly occurredAt: number;
  readonly receivedAt: number;
  readonly value: string | null;
  readonly currency: string | null;
  readonly tax: string | null;
  readonly shipping: string | null;
  readonly discountCode: string | null;
  readonly leadType: string | null;
  readonly products: readonly Product[];
  readonly user: UserData | null;
}

/** The person's answer, or what the property's setting makes of a missing one; `unknown` is sent without consent fields. */
export type ConsentState = 'granted' | 'denied' | 'unknown';

export interface ConsentFacts {
  readonly advertising: ConsentState;
  readonly analytics: ConsentState;
  /** false: the person objects to the sale of their data (US states): platforms' limited data use. */
  readonly saleOfData: boolean | null;
}

/** Of a refund: its purchase. */
export interface Original {
  readonly conversionId: string;
  readonly occurredAt: number;
  readonly value: string | null;
  readonly currency: string | null;
  /** What is left of the value after every refund that is known now; never below 0. */
  readonly remaining: string | null;
  /** Whether this destination has accepted the purchase. */
  readonly forwarded: boolean;
}

/** What the match knows: the visit that brought the customer. */
export interface MatchContext {
  readonly visitorId: string | null;
  /** When the visitor was first seen, epoch ms. */
  readonly firstSeen: number | null;
  /** The touch that won. */
  readonly touch: Touch | null;
  /** The newest of each click id in the attribution window, by lower-case name, with the time of its landing. */
  readonly clickIds: Readonly<Record<string, { readonly value: string; readonly at: number }>>;
  /** The newest of each of the platforms' first-party cookies, by cookie name (`_fbp`, `_ga`, …). */
  readonly browserIds: Readonly<Record<string, string>>;
  /** Address (null: not public) and user agent of the landing; null without consent to advertising, and after 30 days. */
  readonly client: { readonly ip: string | null; readonly userAgent: string } | null;
  /** Landing page, without its query: `https://shop.example/path`. */
  readonly pageUrl: string | null;
  /** `https://host/` of the referrer. */
  readonly referrer: string | null;
  readonly consent: ConsentFacts;
  readonly original: Original | null;
}

/** Why a matched conversion is not sent. Shown, counted, and not an error. */
export const SKIP_REASONS = {
  consent_denied: 'The customer has not consented.',
  too_old: 'It is older than the platform accepts.',
  no_identifier: 'There is no customer data that this platform could match.',
  unsupported_topic: 'The platform has no such event.',
  no_mapping: 'The event mapping has no event for this topic; choose one.',
  turned_off: 'The event mapping excludes it.',
  missing_value: 'The platform requires a value and a currency for this event.',
  original_not_forwarded: 'The refunded purchase was not accepted by this destination.',
  data_expired: 'The personal data that it needs has already been deleted.',
  erased: 'The visitor was erased.',
  destination_deleted: 'The destination was deleted before it was sent.',
} as const;
export type SkipReason = keyof typeof SKIP_REASONS;

export interface Skip {
  readonly skip: SkipReason;
  /** One sentence more than the reason's own, or absent. */
  readonly detail?: string;
}

export interface Mapped {
  /** As the platform takes it, hashed already. */
  readonly event: JsonObject;
  /** The platform's name of the event or id of the action, to show. */
  readonly name: string;
  /** Only events of one group may share a request; absent: all may. */
  readonly group?: string;
  /** What is weak about it (a fallback id, a dropped phone): shown with the delivery. */
  readonly notes?: readonly string[];
}

/** An HTTP request to be made. Redirects are never followed. */
export interface HttpRequest {
  readonly method: 'POST' | 'GET';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Cut at 256 KiB. */
  readonly body: string;
}

/** What became of one event. `code` and `message` are the platform's words, made presentable: no secrets, no personal data. */
export type Verdict =
  | { readonly kind: 'delivered'; readonly message?: string }
  /** Accepted, not evaluated yet: `poll` asks with this reference. */
  | { readonly kind: 'accepted'; readonly ref: string }
  /** May succeed later. `Retry-After` is read by the executor. */
  | { readonly kind: 'retry'; readonly code: string; readonly message: string; readonly afterMs?: number }
  /** The whole destination has to wait. */
  | {
      readonly kind: 'throttled';
      readonly code: string;
      readonly message: string;
      readonly scope: 'minute' | 'day';
      readonly afterMs?: number;
    }
  /** This event will never be taken. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** One of the batch was bad and the platform does not say which; alone it counts as refused. */
  | { readonly kind: 'bisect'; readonly code: string; readonly message: string }
  /** The credential is wrong, or may not do this: the destination pauses. */
  | { readonly kind: 'auth'; readonly code: string; readonly message: string }
  /** Account, id or API version is wrong: the destination pauses. */
  | { readonly kind: 'config'; readonly code: string; readonly message: string };

/** `dedup`: the platform keeps one event per key, so a delivery with an unknown outcome is sent again. `at_most_once`: it is not, and is shown as unknown. */
export type Guarantee = 'dedup' | 'at_most_once';

export interface Limits {
  /** Events in a request. */
  readonly maxBatch: number;
  /** Bytes of a request's body. */
  readonly maxBytes: number;
  /** An event that happened longer ago is not sent; null: no limit. */
  readonly maxAgeMs: number | null;
  /** An event further in the future is held back until it is not. */
  readonly maxFutureMs: number;
  /** Requests in a minute; null: none known. */
  readonly perMinute: number | null;
  readonly timeoutMs: number;
}

/** Topic, or `custom:<event name>`. Text: the platform's event; null: it is not forwarded. What is not named follows the default. */
export type EventMapping = Readonly<Record<string, string | null>>;

/** What may be mapped to what. */
export interface EventRules {
  /** What the text of a mapping is: `Event name`, `Conversion action ID`. */
  readonly label: string;
  readonly pattern: RegExp;
  readonly example: string;
  /** Names to offer; any other that fits the pattern is taken too. */
  readonly choices: readonly string[];
  /**
   * A topic without default has to be mapped; null: the platform can't take it at all. The names `OWN_NAME` and `AS_PURCHASE`
   * of `gates.ts` stand for the conversion's own event name, and for whatever the purchase is mapped to.
   */
  readonly defaults: Readonly<Record<Topic, { readonly name: string } | 'needs_mapping' | null>>;
}

/** Encrypted members, decrypted. All are text; the schema says which there are. */
export type Credentials = Readonly<Record<string, string>>;

export interface Auth {
  readonly credentials: Credentials;
  /** Where the destination declares `oauth`. */
  readonly accessToken: string | null;
  /** When this attempt is made, epoch ms: what a signature over the request names, since receivers refuse an old one. */
  readonly now: number;
}

export interface OAuth {
  /** null: the credentials hold an access token that is used as it is. @param now epoch ms */
  tokenRequest(credentials: Credentials, now: number): HttpRequest | null;
  readToken(
    response: HttpResponse,
  ):
    | { readonly accessToken: string; readonly expiresInMs: number; readonly refreshToken?: string }
    | Extract<Verdict, { kind: 'auth' | 'config' | 'retry' }>;
}

/** What an answer to a status request means for every event of the request that it asks about; null: not evaluated yet. */
export interface Poll {
  readonly firstAfterMs: number;
  readonly everyMs: number;
  /** After that it counts as delivered with a note: the platform has acknowledged it. */
  readonly giveUpAfterMs: number;
  build(ref: string, config: never, auth: Auth): HttpRequest;
  classify(response: HttpResponse): Verdict | null;
}

/** How a destination is tried without counting. */
export interface TestMode {
  /** `validate`: the platform checks and drops. `code`: shown in the platform's own test view, by a code from there. `none`: it has neither. */
  readonly kind: 'validate' | 'code' | 'none';
  /** What the operator has to do and will see. */
  readonly explanation: string;
}

/** One platform. `Config` is what `config` parses to. */
export interface Destination<Config = never> {
  readonly platform: Platform;
  readonly title: string;
  /** What it is for, one sentence. */
  readonly summary: string;
  /** The platform's own documentation. */
  readonly documentation: string;
  /** Every host that requests go to, so that they can be mapped elsewhere; empty: the user names it (and it is guarded). */
  readonly hosts: readonly string[];
  /** Which consent it needs; a config may relax it where the platform wants to receive refusals. */
  readonly consent: 'advertising' | 'analytics' | ((config: Config) => 'advertising' | 'analytics' | 'none');
  /** Objects whose members carry `.meta({ title, description, examples })`: the form is made of them. */
  readonly config: z.ZodType<Config> & z.ZodObject;
  /** Members of the config that are addresses with, perhaps, a key in them: encrypted at rest, and shown as host and beginning. */
  readonly sealedUrls?: readonly string[];
  /** Members are strings, encrypted at rest and never returned. */
  readonly credentials: z.ZodObject;
  readonly events: EventRules;
  readonly limits: Limits | ((config: Config) => Limits);
  guarantee(conversion: Pick<ForwardedConversion, 'topic'>): Guarantee;
  /** JSON member names under which plain personal data may leave, as the platform documents it (address, user agent, names). */
  readonly plainFields: readonly string[];
  /** After the common gates (consent, age). Pure; hashing happens here, by the platform's rules. @param name the mapped event */
  map(conversion: ForwardedConversion, context: MatchContext, config: Config, name: string): Mapped | Skip;
  /** @param events 1 to `maxBatch`, of one group */
  build(events: readonly JsonObject[], config: Config, auth: Auth): HttpRequest;
  /** One verdict per event, in order. Never throws: an answer that is not understood is a `retry`. */
  classify(response: HttpResponse, events: readonly JsonObject[], config: Config): readonly Verdict[];
  readonly poll?: Poll;
  readonly oauth?: OAuth;
  readonly test: TestMode;
  /** One event in test mode; for kind `none` it is `build` itself, and only shown. @param code of the platform's test view */
  buildTest(event: JsonObject, config: Config, auth: Auth, code: string | null): HttpRequest;
}
