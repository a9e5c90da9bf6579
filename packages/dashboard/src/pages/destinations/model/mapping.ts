/** The event mapping of a destination: the event for each topic and custom name. */
import { TOPICS, type Topic } from '@ghostlight/core/conversion';
import type { EventMapping, EventRules } from '../../../features/destinations/api.ts';

/** Defaults of the service: "the conversion's own name", and "the event of that topic". */
const OWN_NAME = '{event_name}';
const AS_TOPIC = /^\{(\w+)\}$/;
const CUSTOM = 'custom:';

export type Effect =
  | { readonly is: 'name'; readonly name: string }
  /** A custom event keeps its own name. */
  | { readonly is: 'own_name' }
  /** The event of another topic: a refund uses that of its purchase. */
  | { readonly is: 'as'; readonly topic: Topic }
  | { readonly is: 'off' }
  | { readonly is: 'needs_mapping' }
  | { readonly is: 'unsupported' };

export interface MappingRow {
  /** The key in the mapping: a topic, or `custom:<event name>`. */
  readonly key: string;
  readonly topic: Topic;
  /** Null: the topic itself. */
  readonly eventName: string | null;
  /** The default. */
  readonly standard: Effect;
  /** Undefined: the default. Null: not forwarded. */
  readonly chosen: string | null | undefined;
  readonly effect: Effect;
}

export function customKey(eventName: string): string {
  return `${CUSTOM}${eventName}`;
}

/** A row per topic, and one per mapped custom name below its topic. */
export function mappingRows(rules: EventRules, mapping: EventMapping): MappingRow[] {
  const topics = TOPICS.map((topic) => rowOf(topic, topic, null, defaultOf(rules, topic), mapping));
  const custom = topics.find(({ topic }) => topic === 'custom');
  const names = Object.keys(mapping).filter((key) => key.startsWith(CUSTOM));
  return [
    ...topics,
    ...names.sort().map((key) =>
      // By default a custom name follows its topic.
      rowOf(key, 'custom', key.slice(CUSTOM.length), custom?.effect ?? { is: 'unsupported' }, mapping),
    ),
  ];
}

/** The mapping with a choice set, or removed (undefined). */
export function withChoice(
  mapping: EventMapping,
  key: string,
  chosen: string | null | undefined,
): EventMapping {
  const { [key]: _, ...others } = mapping;
  return chosen === undefined ? others : { ...others, [key]: chosen };
}

/** Topics whose conversions are skipped until an event is chosen. */
export function needsMapping(rules: EventRules, mapping: EventMapping): readonly Topic[] {
  return mappingRows(rules, mapping)
    .filter(({ eventName, effect }) => eventName === null && effect.is === 'needs_mapping')
    .map(({ topic }) => topic);
}

/** The mistake in a name, as a sentence; null when it is valid. */
export function nameMistake({ pattern, label, example }: EventRules, name: string): string | null {
  if (name === '') return `${label} is required.`;
  return fits(pattern, name) ? null : `Not a valid ${label}. Example: ${example}.`;
}

/** A pattern that this browser can't compile is checked by the service only. */
function fits(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return true;
  }
}

function defaultOf({ defaults }: EventRules, topic: Topic): Effect {
  const standard = defaults[topic];
  if (standard.kind !== 'name') return { is: standard.kind };
  if (standard.name === OWN_NAME) return { is: 'own_name' };
  const as = AS_TOPIC.exec(standard.name)?.[1];
  const other = TOPICS.find((one) => one === as);
  return other === undefined ? { is: 'name', name: standard.name } : { is: 'as', topic: other };
}

function rowOf(
  key: string,
  topic: Topic,
  eventName: string | null,
  standard: Effect,
  mapping: EventMapping,
): MappingRow {
  const chosen = Object.hasOwn(mapping, key) ? mapping[key] : undefined;
  const isPossible = standard.is !== 'unsupported';
  const effect: Effect =
    chosen === undefined || !isPossible
      ? standard
      : chosen === null
        ? { is: 'off' }
        : { is: 'name', name: chosen };
  return { key, topic, eventName, standard, chosen: isPossible ? chosen : undefined, effect };
}
