/** What every platform asks before it looks at a conversion: is there an event for it, may it be sent, is it young enough. */
import { TOPICS, type Topic } from '@ghostlight/core';
import type { ConsentFacts, EventMapping, EventRules, ForwardedConversion, Limits, Skip } from './port.ts';

/** As a default name: the conversion's own event name, which the platform's `map` makes fit. */
export const OWN_NAME = '{event_name}';

/** As a default name of refunds: whatever event the purchase is, because the refund changes that one. */
export const AS_PURCHASE = '{purchase}';

/** Key of a custom event of its own in the mapping. */
export const mappingKey = (eventName: string): string => `custom:${eventName}`;

/**
 * The platform's event for a conversion: what is mapped for the custom event's name, else for the topic, else the platform's default.
 *
 * @returns the name, for a custom event by default its own; or why there is none
 */
export function resolveEvent(
  rules: EventRules,
  mapping: EventMapping,
  conversion: Pick<ForwardedConversion, 'topic' | 'eventName'>,
): { readonly name: string } | Skip {
  const { topic, eventName } = conversion;
  const standard = rules.defaults[topic];
  if (standard === null) return { skip: 'unsupported_topic' };
  if (standard !== 'needs_mapping' && standard.name === AS_PURCHASE && mapped(mapping, topic) !== null)
    return resolveEvent(rules, mapping, { topic: 'purchase', eventName: null });
  const own = eventName === null ? undefined : mapped(mapping, mappingKey(eventName));
  const chosen = own === undefined ? mapped(mapping, topic) : own;
  if (chosen === null) return { skip: 'turned_off' };
  if (chosen !== undefined) {
    // Checked when it was stored; what it was checked by may have changed since, and it goes into a request.
    return rules.pattern.test(chosen)
      ? { name: chosen }
      : { skip: 'no_mapping', detail: `The mapping is no longer a valid ${rules.label}.` };
  }
  if (standard === 'needs_mapping') return { skip: 'no_mapping' };
  if (standard.name !== OWN_NAME) return { name: standard.name };
  const name = eventName ?? 'custom';
  const taken = TOPICS.find((other) => isDefaultOf(rules, other, name));
  return taken === undefined
    ? { name }
    : {
        skip: 'no_mapping',
        detail: `“${name}” is the platform’s own event for the topic ${taken}; choose another event for it in the mapping, or post it under that topic.`,
      };
}

/** Written in any letter case, with blanks or hyphens: platforms are as generous. */
function isDefaultOf({ defaults }: EventRules, topic: Topic, name: string): boolean {
  const standard = defaults[topic];
  if (standard === null || standard === 'needs_mapping' || standard.name.startsWith('{')) return false;
  return plain(standard.name) === plain(name);
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** @returns undefined for what the mapping does not name */
const mapped = (mapping: EventMapping, key: string): string | null | undefined =>
  Object.hasOwn(mapping, key) ? mapping[key] : undefined;

/** Only a denial keeps a conversion back: the property's setting has decided earlier about a missing answer. */
export function mayBeSent(needed: 'advertising' | 'analytics' | 'none', consent: ConsentFacts): boolean {
  return needed === 'none' || consent[needed] !== 'denied';
}

/** Of exactly the limit's age is young enough. */
export function isTooOld(limits: Limits, occurredAt: number, now: number): boolean {
  return limits.maxAgeMs !== null && now - occurredAt > limits.maxAgeMs;
}

/** @returns epoch ms from when on the platform takes an event that our clock, or the sender's, puts into the future */
export function notBefore(limits: Limits, occurredAt: number): number {
  return occurredAt - limits.maxFutureMs;
}
