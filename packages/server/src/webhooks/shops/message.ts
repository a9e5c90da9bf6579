/** What a delivery of a shop says, whatever its platform. Bodies are those of our own webhooks: core reads and checks them. */

export type SaleTopic = 'purchase' | 'subscription';

/** A webhook body as `docs/webhooks.md` describes it, before it is read. */
export type Body = Readonly<Record<string, unknown>>;

export interface Sale {
  readonly topic: SaleTopic;
  readonly body: Body;
  /** Epoch milliseconds; null: the shop doesn't say. */
  readonly soldAt: number | null;
}

/**
 * Everything that one state of an order implies. Each member only ever grows from one state of an order to the next, so deliveries may
 * arrive in any order and any number of times.
 */
export interface OrderMessage {
  readonly kind: 'order';
  readonly orderId: string;
  /** null: not paid yet, or not said. */
  readonly sale: Sale | null;
  /** Each with its `refund_id`. */
  readonly refunds: readonly Body[];
  /** What is left of the order is taken back; null: it isn't. */
  readonly cancellation: Body | null;
  /** Why nothing is counted, where nothing is. */
  readonly why: string;
}

/** A shop's customer, or all of its customers, must be forgotten. */
export interface RedactMessage {
  readonly kind: 'redact';
  /** null: all customers of the shop. */
  readonly customer: { readonly email: string | null; readonly orderIds: readonly string[] } | null;
}

/** The shop's owner has to hand out what is stored; `request` names it. */
export interface DataRequestMessage {
  readonly kind: 'data_request';
  readonly request: string;
}

/** Nothing to count. @see ShopResult */
export interface NothingMessage {
  readonly kind: 'ignored' | 'test' | 'unusable';
  readonly why: string;
}

export type Message = OrderMessage | RedactMessage | DataRequestMessage | NothingMessage;

export const ignored = (why: string): NothingMessage => ({ kind: 'ignored', why });
export const unusable = (why: string): NothingMessage => ({ kind: 'unusable', why });
