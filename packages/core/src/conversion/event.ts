/** What happened, as a webhook or a browser tells it: one set of names for both. Absent is null, never `''` or undefined. */
import type { JsonValue } from '../json.ts';
import type { Problem } from '../problems.ts';

/** Unknown fields of the sender's, bounded by `EXTRA_LIMITS`; may hold personal data. */
export type Extra = Readonly<Record<string, JsonValue>>;

/** In UTF-16 code units, as `String.length` counts. A longer text is left out, not cut: half an order number is another order's. */
export const CONVERSION_LIMITS = {
  id: 255,
  visitorId: 128,
  eventName: 64,
  text: 255,
  productName: 500,
  email: 254,
  phone: 64,
  products: 200,
  /** Errors, and warnings, of one event. */
  problems: 50,
} as const;

export interface Address {
  readonly street: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly postalCode: string | null;
  /** As sent: a code or a name. */
  readonly country: string | null;
  readonly extra: Extra;
}

/** Personal data, raw: each ad platform wants it normalised in another way before hashing. */
export interface UserData {
  /** An address, or 64 lower-case hexadecimal digits where the sender has hashed it. */
  readonly email: string | null;
  /** As sent, or 64 lower-case hexadecimal digits. */
  readonly phone: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly address: Address | null;
  readonly extra: Extra;
}

export interface Product {
  readonly id: string | null;
  readonly name: string | null;
  readonly sku: string | null;
  /** Decimal text: goods are sold by weight too. */
  readonly quantity: string | null;
  /** Of one piece; decimal text. */
  readonly price: string | null;
  /** Amount; decimal text. */
  readonly discount: string | null;
  readonly extra: Extra;
}

/** null: not said, which is neither yes nor no. */
export interface Consent {
  readonly analytics: boolean | null;
  readonly advertising: boolean | null;
  readonly preferences: boolean | null;
  readonly saleOfData: boolean | null;
  readonly extra: Extra;
}

/** What webhook and browser say alike. Money is decimal text (`money.ts`), never negative. */
export interface SharedFields {
  /** The order's id, or whatever else names the conversion once. */
  readonly conversionId: string | null;
  readonly visitorId: string | null;
  /** Epoch milliseconds, as sent, not yet compared with our clock. */
  readonly eventTime: number | null;
  readonly value: string | null;
  /** ISO 4217, upper-case; null exactly where `value` is. */
  readonly currency: string | null;
  readonly tax: string | null;
  readonly shipping: string | null;
  readonly discountCode: string | null;
  readonly leadType: string | null;
  readonly userData: UserData | null;
  readonly products: readonly Product[];
  readonly consent: Consent | null;
  readonly extra: Extra;
}

export interface ConversionEvent extends SharedFields {
  /** Tells several partial refunds of one order apart; topic `refund` alone. */
  readonly refundId: string | null;
  /** Topic `custom` alone, where it is never null. */
  readonly eventName: string | null;
}

export interface BrowserEvent extends SharedFields {
  /** GA4's where it has one: `page_view`, `purchase`, `generate_lead`, `sign_up`. */
  readonly eventName: string;
  /** Lower-case UUID. */
  readonly attributionId: string;
  readonly sessionId: string | null;
  /** The site's own id of a person who is signed in. */
  readonly userId: string | null;
  /** Unique per property; the same in a repetition of the same event. */
  readonly eventId: string | null;
  readonly lib: string | null;
  readonly libVersion: string | null;
  readonly page: BrowserPage;
  /** `1920x1080`, in CSS pixels. */
  readonly screenResolution: string | null;
  readonly viewportResolution: string | null;
  readonly timezone: string | null;
  readonly browserLanguage: string | null;
  /** As landed; cleaned like those of an address (`tags.ts`). */
  readonly utm: Utm;
  readonly clickIds: Readonly<Record<string, string>>;
  /** The ad platforms' own first-party cookies, by cookie name. */
  readonly browserIds: Readonly<Record<string, string>>;
  /** The browser says that a program drives it. */
  readonly bot: boolean;
  readonly sessionStart: boolean;
}

export interface BrowserPage {
  /** Without personal data: see `cleanAddress`. */
  readonly location: string | null;
  readonly referrer: string | null;
  readonly title: string | null;
}

export const UTM_FIELDS = ['source', 'medium', 'campaign', 'term', 'content', 'id'] as const;
export type UtmField = (typeof UTM_FIELDS)[number];
export type Utm = Readonly<Partial<Record<UtmField, string>>>;

/** What a reader says: the event and what was odd about it, or everything that is wrong. */
export type Reading<Event> =
  | { readonly event: Event; readonly warnings: readonly Problem[] }
  | { readonly errors: readonly Problem[] };
