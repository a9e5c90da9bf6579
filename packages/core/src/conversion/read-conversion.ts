/** A webhook's body → what happened. */
import { CONVERSION_LIMITS, type ConversionEvent, type Reading } from './event.ts';
import type { Fields } from './fields.ts';
import { readObject } from './reading.ts';
import { readSharedFields } from './shared-fields.ts';
import type { Topic } from './topics.ts';

export const EVENT_NAME = /^[A-Za-z0-9_\- ]+$/;
export const EVENT_NAME_CHARACTERS = 'Must be of letters (A to Z), digits, "_", "-" and spaces.';

const REQUIRED: Readonly<Record<Topic, readonly string[]>> = {
  purchase: ['conversion_id', 'value', 'currency'],
  refund: ['conversion_id'],
  lead: [],
  signup: [],
  subscription: [],
  custom: [],
};

/** Without these a conversion is another one, or none: a wrong one refuses the body. */
const VITAL: readonly string[] = ['conversion_id', 'transaction_id', 'value', 'currency'];

const WHY_REQUIRED: Readonly<Record<string, string>> = {
  conversion_id: 'Is required: the order’s id, which identifies repeats.',
  value: 'Is required: the amount, such as 19.99.',
  currency: 'Is required: a currency code of ISO 4217 such as "EUR".',
};

/**
 * Reads what a shop, a CRM or a form posted. Never throws; everything that is wrong is said at once, each with its place. Only id, amount
 * and a custom event's name can refuse it: whatever else can't be used is left out with a warning, since one bad member must not cost a sale.
 *
 * Of a member that appears twice in the text, JSON.parse has kept the last, as the readers of PHP, Python and Go do: nothing here is
 * signed, so there is nothing to gain by showing two readers two values.
 *
 * @param body a parsed JSON value from an untrusted sender
 */
export function readConversion(topic: Topic, body: unknown): Reading<ConversionEvent> {
  const sign = topic === 'refund' ? 'drop' : 'refuse';
  // PHP writes an empty array for an empty object.
  const object: unknown = Array.isArray(body) && body.length === 0 ? {} : body;
  const vital = topic === 'custom' ? [...VITAL, 'event_name'] : VITAL;
  return readObject(object, 'Must be one JSON object; send several events one by one.', vital, (fields) => {
    checkRequired(topic, fields);
    return {
      ...readSharedFields(fields, sign),
      refundId: topic === 'refund' ? fields.text(CONVERSION_LIMITS.id, 'refund_id') : null,
      eventName: topic === 'custom' ? readEventName(fields) : null,
      extra: fields.rest(),
    };
  });
}

function checkRequired(topic: Topic, fields: Fields): void {
  const required = REQUIRED[topic];
  for (const name of required) {
    const isThere = fields.has(name) || (name === 'conversion_id' && fields.has('transaction_id'));
    if (!isThere) fields.error(name, WHY_REQUIRED[name] ?? 'Is required.');
  }
  if (required.includes('value')) return;
  const pair = ['value', 'currency'] as const;
  const missing = pair.filter((name) => !fields.has(name));
  if (missing.length !== 1) return;
  for (const name of missing)
    fields.error(name, 'Is required: "value" and "currency" come together or not at all.');
}

const readEventName = (fields: Fields): string =>
  fields.matching(EVENT_NAME, CONVERSION_LIMITS.eventName, EVENT_NAME_CHARACTERS, 'event_name') ?? 'custom';
