/** A conversion with every member of the schema, each spoiled in turn in every way that senders have been seen to write. For tests. */
import type { Topic } from './topics.ts';

type Json = Record<string, unknown>;

const WHOLE: Json = {
  conversion_id: 'ord_1',
  visitor_id: 'v-1',
  event_time: '2026-11-22T04:00:00Z',
  value: '99.9',
  currency: 'EUR',
  tax: '15.95',
  shipping: '4.9',
  discount_code: 'SPRING',
  lead_type: 'demo',
  user_data: {
    email: 'jane@shop.example',
    phone: '+4930901820',
    first_name: 'Jane',
    last_name: 'Doe',
    address: { street: 'Weg 1', city: 'Berlin', region: 'BE', postal_code: '10115', country: 'DE' },
  },
  products: [{ id: 'a', name: 'Lamp', sku: 's', quantity: '1', price: '95', discount: '0.5' }],
  consent: { analytics: true, advertising: true, preferences: true, sale_of_data: true },
  note: 'a field of their own',
};

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

/** Name → what a member becomes. */
const SPOILS: Readonly<Record<string, unknown>> = {
  boolean: true,
  negative: -1,
  fraction: 1.5,
  huge: 1e300,
  beyond: 2 ** 53 + 2,
  array: ['x'],
  list: [{}, 7],
  object: { x: 1 },
  long: 'x'.repeat(70_000),
  deep: nested(50),
  words: 'not what is wanted here',
  nul: 'a\u0000b',
  surrogate: '\ud83d',
  date: '2026-11-22 04:00:00',
  equals: 'abc==',
  absent: null,
};

export interface Spoiled {
  /** JSON pointer of the member. */
  readonly path: string;
  readonly kind: string;
  readonly body: unknown;
}

export function spoiledBodies(topic: Topic): readonly Spoiled[] {
  const whole: Json = {
    ...WHOLE,
    ...(topic === 'refund' ? { refund_id: 'r_1' } : {}),
    ...(topic === 'custom' ? { event_name: 'Book a demo' } : {}),
  };
  return pathsOf(whole, []).flatMap((path) =>
    Object.entries(SPOILS).map(([kind, value]) => ({
      path: `/${path.join('/')}`,
      kind,
      body: withAt(whole, path, value),
    })),
  );
}

/** Every member, those that hold others among them. */
function pathsOf(value: unknown, path: readonly string[]): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [...path, name],
    ...pathsOf(member, [...path, name]),
  ]);
}

function withAt(value: unknown, [name, ...deeper]: readonly string[], spoiled: unknown): unknown {
  if (name === undefined) return spoiled;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? withAt(item, deeper, spoiled) : item));
  const object = value as Json;
  return { ...object, [name]: withAt(object[name], deeper, spoiled) };
}

/** @returns undefined where there is nothing */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, name) => (inner as Json | null | undefined)?.[name], value);
}
