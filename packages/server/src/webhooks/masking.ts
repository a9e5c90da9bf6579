/**
 * What was received, as Recent Activity may show it: enough to recognise one's own test and fix a mistake, too little to contact the person.
 * Bounded in depth and size: a refused body may contain anything.
 */
import {
  type ConversionEvent,
  conversionBody,
  type JsonValue,
  maskFound,
  maskPersonal,
} from '@ghostlight/core';
import { maskSecrets } from '../common/index.ts';

const MASK = '***';
/** Below these names, wherever they stand, everything is masked. */
const PERSONAL =
  /e-?mail|phone|mobile|^tel|first_?name|last_?name|full_?name|surname|address|street|postal|zip|birth|(^|_)ip$|user_?agent|passw|secret|token|api_?key|authoriz|card|iban/i;
/** A field by another name may hold anything: it is shown by its name alone. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['conversion_id', 'transaction_id', 'refund_id', 'event_name', 'visitor_id', 'event_time'],
  ...['value', 'currency', 'tax', 'shipping', 'discount_code', 'lead_type'],
  ...['user_data', 'products', 'consent'],
]);
const LIMITS = { depth: 8, items: 100, members: 100, text: 500, characters: 16 * 1024 } as const;

export interface Masked {
  readonly json: string;
  /** Something was left out for its size. */
  readonly cut: boolean;
}

export function maskedEvent(event: ConversionEvent): Masked {
  const { user_data: personal, ...rest } = conversionBody({
    ...event,
    userData: event.userData && maskPersonal(event.userData),
  });
  return bounded({
    ...(masked(knownAlone(rest)) as object),
    ...(personal === undefined ? {} : { user_data: personal }),
  });
}

/** @param body parsed, but refused */
export const maskedBody = (body: unknown): Masked => bounded(masked(knownAlone(body)));

/** Fields of any name, for those who may read the conversion, or that we chose ourselves from a platform's order. */
export const maskedFields = (fields: unknown): Masked => bounded(masked(fields));

/** A field by an unknown name is named, and its value left out before anything looks at it. */
function knownAlone(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, KNOWN.has(name) ? value : hiddenText(value)]),
  );
}

/** Masked, except for what says nothing of a person. */
const hiddenText = (value: unknown): unknown => (value === null || typeof value === 'boolean' ? value : MASK);

function masked(value: unknown, depth = 0, hidden = false): JsonValue {
  if (value === null || typeof value === 'boolean') return value;
  if (Array.isArray(value) || typeof value === 'object') {
    if (depth >= LIMITS.depth) return '…';
    if (Array.isArray(value))
      return value.slice(0, LIMITS.items).map((item) => masked(item, depth + 1, hidden));
    const members = Object.entries(value as object).slice(0, LIMITS.members);
    return Object.fromEntries(
      members.map(([name, member]) => [
        maskedText(name),
        masked(member, depth + 1, hidden || name === 'user_data' || PERSONAL.test(name)),
      ]),
    );
  }
  if (hidden) return MASK;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return typeof value === 'string' ? maskedText(value) : null;
}

const maskedText = (text: string): string =>
  maskFound(maskSecrets(text.slice(0, LIMITS.text).toWellFormed()));

/** Of what is too long, the short members. */
function bounded(value: JsonValue): Masked {
  const json = JSON.stringify(value);
  if (json.length <= LIMITS.characters) return { json, cut: false };
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const short = members
    .filter(([, member]) => (JSON.stringify(member)?.length ?? 0) <= LIMITS.text)
    .slice(0, 20);
  return { json: JSON.stringify(Object.fromEntries(short)), cut: true };
}
