/** What a page may call. Types alone: the build publishes this file unchanged, with the package's functions appended. */

export interface Options {
  /** The property's UUID. */
  attributionId: string;
  /** Where the service answers: `https://ghostlight.shop.example`, or the verified custom tracking domain. */
  endpoint: string;
  /**
   * What the visitor has agreed to. Left out: what was granted on an earlier page, else nothing, until `setConsent`. A refusal here stores and
   * sends nothing; `setConsent` also deletes what an earlier page has stored.
   */
  consent?: Partial<Consent>;
  /** Domain of the cookies. Default: the widest that the browser grants to this page. */
  cookieDomain?: string;
  /** `'include'` where the endpoint is a verified tracking domain of the site: the service then keeps the visitor's id in a cookie of its own. */
  credentials?: 'include';
  /** Inactivity that ends a session, in ms. Default 1,800,000 (30 minutes). */
  sessionTimeout?: number;
  /** Page views are sent by themselves: the first, and each navigation of a single-page application. Default true. */
  autoPage?: boolean;
}

export interface Consent {
  /** Without it nothing is stored in the browser and nothing is sent. */
  analytics: boolean;
  /** Without it neither the ad platforms' cookies are read nor personal data is sent. */
  advertising: boolean;
  preferences?: boolean;
  sale_of_data?: boolean;
}

/** Parameters of an event: anything that JSON can say. */
export type Params = Record<string, unknown>;

export interface Product {
  id?: string;
  name?: string;
  quantity?: number;
  price?: number | string;
}

export interface Money {
  /** A number, or decimal text where a number would not be exact. */
  value?: number | string;
  /** ISO 4217. */
  currency?: string;
}

export interface PurchaseParams extends Params, Money {
  /** The order's number: the webhook's purchase with the same one is the same conversion. */
  conversion_id: string;
  value: number | string;
  currency: string;
  tax?: number | string;
  shipping?: number | string;
  discount_code?: string;
  products?: Product[];
}

export interface LeadParams extends Params, Money {
  conversion_id?: string;
  lead_type?: string;
}

export interface SignUpParams extends Params, Money {
  conversion_id?: string;
  method?: string;
}

export interface PageParams extends Params {
  page_location?: string;
  page_referrer?: string;
  page_title?: string;
}

/** Who the visitor is, as far as the page knows. Sent with the events that follow, never stored. */
export interface Identity extends Params {
  /** Your own id of the customer; sent with analytics consent. All else is sent with advertising consent only. */
  user_id?: string;
  email?: string;
  /** In international format. */
  phone?: string;
  first_name?: string;
  last_name?: string;
  address?: { city?: string; region?: string; postal_code?: string; country?: string };
}

/** The latest landing that carried campaign tags or click ids, else the first landing. */
export interface Attribution {
  page_location: string;
  page_referrer: string;
  /** `source`, `medium`, `campaign`, `term`, `content`, `id`: what the address said. */
  utm: Record<string, string>;
  /** Click ids by their names in lower case (`gclid`, `fbclid`, …), their values untouched. */
  click_ids: Record<string, string>;
  /** Epoch, in seconds. */
  at: number;
  /** The session that began there, once it has begun. */
  session_id?: string;
}

type Arguments<Name extends string> = Name extends 'purchase'
  ? [params: PurchaseParams]
  : Name extends 'generate_lead'
    ? [params?: LeadParams]
    : Name extends 'sign_up'
      ? [params?: SignUpParams]
      : [params?: Params];

export interface Ghostlight {
  /** Starts. Calls made before are kept and follow; a second call changes nothing. */
  init(options: Options): void;
  /** Records a page view. Without parameters the same address twice in a row is one view. */
  page(params?: PageParams): void;
  track<Name extends string>(name: Name, ...params: Arguments<Name>): void;
  /** Calls add up until `reset`. */
  identify(identity: Identity): void;
  /**
   * The anonymous id that matches a conversion of your server to this visitor. A string, which may be awaited as well. Before analytics
   * consent it is an id that lives as long as the page; before `init`, `''`.
   */
  getVisitorId(): string;
  /** `''` before the first event that consent lets out. */
  getSessionId(): string;
  getAttribution(): Attribution | null;
  /** What is not named stays as it is. Withdrawing `analytics` deletes everything that was stored. */
  setConsent(consent: Partial<Consent>): void;
  /** null: the visitor has not been asked. */
  getConsent(): Consent | null;
  /** Another person, such as after a sign-out: new visitor, new session, no identity. Consent stays. */
  reset(): void;
  /** Calls back, and resolves, once `init` has run. */
  ready(callback?: (ghostlight: Ghostlight) => void): Promise<Ghostlight>;
}
