/** OpenAI's standard events, and the shape that the data of each must have. */

const CONTENTS = [
  'order_created',
  'checkout_started',
  'items_added',
  'contents_viewed',
  'page_viewed',
] as const;
const ACTIONS = ['lead_created', 'registration_completed', 'appointment_scheduled'] as const;
const ENROLLMENTS = ['subscription_created', 'trial_started'] as const;

export const STANDARD_EVENTS: readonly string[] = [...CONTENTS, ...ACTIONS, ...ENROLLMENTS];

/** @returns `custom` for every name that is no standard event's */
export function dataTypeOf(name: string): 'contents' | 'customer_action' | 'plan_enrollment' | 'custom' {
  if (isOneOf(CONTENTS, name)) return 'contents';
  if (isOneOf(ACTIONS, name)) return 'customer_action';
  if (isOneOf(ENROLLMENTS, name)) return 'plan_enrollment';
  return 'custom';
}

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

/** 1 to 64 of `a`–`z`, digits, `_` and `-`, not beginning or ending with the latter two. */
export const CUSTOM_NAME = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/;

/** @returns the nearest name that OpenAI takes: `Demo Booked!` → `demo_booked` */
export function customNameOf(name: string): string {
  const fitting = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '_')
    .slice(0, 64)
    .replace(/^[_-]+|[_-]+$/g, '');
  return fitting === '' ? 'custom_event' : fitting;
}
