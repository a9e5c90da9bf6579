/** What a conversion is about. Part of the webhook's address; a browser event says it by its GA4 name. */

export const TOPICS = ['purchase', 'lead', 'signup', 'refund', 'subscription', 'custom'] as const;
export type Topic = (typeof TOPICS)[number];

export const isTopic = (text: string): text is Topic => (TOPICS as readonly string[]).includes(text);

/** Refunds and subscriptions have no browser event: a shop's back end alone knows of them. */
const BROWSER_EVENTS: readonly (readonly [string, Topic])[] = [
  ['purchase', 'purchase'],
  ['generate_lead', 'lead'],
  ['sign_up', 'signup'],
];

/** @returns the topic whose webhook is the conversion of record for a browser event of this name, or null */
export const topicOfBrowserEvent = (eventName: string): Topic | null =>
  BROWSER_EVENTS.find(([name]) => name === eventName)?.[1] ?? null;
