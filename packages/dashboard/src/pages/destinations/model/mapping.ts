/** The event mapping of a destination: what each topic and custom name becomes there. */
import { TOPICS, type Topic } from '@ghostlight/core/conversion';
import type { EventMapping, EventRules } from '../../../features/destinations/api.ts';

/** How the service writes "the conversion's own name" as a default, and "what that topic is sent as". */
const OWN_NAME = '{event_name}';
const AS_TOPIC = /^\{(\w+)\}$/;
const CUSTOM = 'custom:';

export type Effect =
  | { readonly is: 'name'; readonly name: string }
  /** A custom event keeps the name that it came with. */
  | { readonly is: 'own_name' }
  /** As whatever another topic is: a refund names the event of its purchase. */
  | { readonly is: 'as'; readonly topic: Topic }
  | { readonly is: 'off' }
  | { readonly is: 'needs_mapping' }
  | { readonly is: 'unsupported' };

export interface MappingRow {
  /** As the mapping names it: a topic, or `custom:<event name>`. */
  readonly key: string;
  readonly topic: Topic;
  /** Null: the topic itself. */
  readonly eventName: string | null;
  /** What happens when nothing is chosen. */
  readonly standard: Effect;
  /** Undefined: nothing is chosen. Null: not forwarded. */
  readonly chosen: string | null | undefined;
  readonly effect: Effect;
}

export function customKey(eventName: string): string {
  return `${CUSTOM}${eventName}`;
}

/** A row per topic, and one per custom name that is mapped, under its topic. */
export function mappingRows(rules: EventRules, mapping: EventMapping): MappingRow[] {
  const topics = TOPICS.map((topic) => rowOf(topic, topic, null, defaultOf(rules, topic), mapping));
  const custom = topics.find(({ topic }) => topic === 'custom');
  const names = Object.keys(mapping).filter((key) => key.startsWith(CUSTOM));
  return [
    ...topics,
    ...names.sort().map((key) =>
      // Without a choice of its own a name follows the topic.
      rowOf(key, 'custom', key.slice(CUSTOM.length), custom?.effect ?? { is: 'unsupported' }, mapping),
    ),
  ];
}

/** With a choice made, or taken back (undefined). */
export function withChoice(
  mapping: EventMapping,
  key: string,
  chosen: string | null | undefined,
): EventMapping {
  const { [key]: _, ...others } = mapping;
  return chosen === undefined ? others : { ...others, [key]: chosen };
}

/** Topics whose conversions are kept back until an event is chosen. */
export function needsMapping(rules: EventRules, mapping: EventMapping): readonly Topic[] {
  return mappingRows(rules, mapping)
    .filter(({ eventName, effect }) => eventName === null && effect.is === 'needs_mapping')
    .map(({ topic }) => topic);
}

/** What a name has to be, as a sentence; null when it fits. */
export function nameMistake({ pattern, label, example }: EventRules, name: string): string | null {
  if (name === '') return `${label} is needed.`;
  return fits(pattern, name) ? null : `That is no ${label}. One looks like ${example}.`;
}

/** A pattern that this browser can't read is left to the service. */
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
