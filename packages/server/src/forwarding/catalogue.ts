/** The platforms as the dashboard offers them: what to enter, what may be mapped to what, what is promised. */
import { TOPICS, type Topic } from '@ghostlight/core';
import { DAY_MS } from '@ghostlight/core/time';
import { z } from 'zod';
import type { AnyDestination, EventRules } from '../destinations/index.ts';

export function catalogueEntry(platform: AnyDestination) {
  const { events, test } = platform;
  const { maxBatch, maxAgeMs } = platform.usualLimits();
  return {
    platform: platform.platform,
    title: platform.title,
    summary: platform.summary,
    documentation: platform.documentation,
    consent: platform.consentKind,
    guarantees: perTopic((topic) => platform.guarantee({ topic })),
    max_batch: maxBatch,
    max_age_days: maxAgeMs === null ? null : maxAgeMs / DAY_MS,
    config_schema: withEncrypted(jsonSchema(platform.config), platform.sealedUrls ?? []),
    credentials_schema: jsonSchema(platform.credentials),
    events: {
      label: events.label,
      pattern: events.pattern.source,
      example: events.example,
      choices: [...events.choices],
      defaults: perTopic((topic) => defaultOf(events, topic)),
    },
    test: { kind: test.kind, explanation: test.explanation },
    plain_fields: [...platform.plainFields],
  };
}

function defaultOf({ defaults }: EventRules, topic: Topic) {
  const standard = defaults[topic];
  if (standard === null) return { kind: 'unsupported' as const };
  return standard === 'needs_mapping'
    ? { kind: 'needs_mapping' as const }
    : { kind: 'name' as const, name: standard.name };
}

const perTopic = <T>(of: (topic: Topic) => T): Record<Topic, T> =>
  Object.fromEntries(TOPICS.map((topic) => [topic, of(topic)])) as Record<Topic, T>;

/** `writeOnly`, as JSON Schema calls what is entered and not returned whole. */
function withEncrypted(schema: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const properties = { ...(schema['properties'] as Record<string, object> | undefined) };
  for (const name of names) properties[name] = { ...properties[name], writeOnly: true };
  return { ...schema, properties };
}

/** What is entered, not what is stored: members with a default may be left out. */
function jsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _version, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest as Record<string, unknown>;
}
