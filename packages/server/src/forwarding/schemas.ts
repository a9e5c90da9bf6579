/** The forms of platforms and destinations in the management API. */
import { TOPICS } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import { nameSchema } from '../common/index.ts';
import { PLATFORMS, SKIP_REASONS, type SkipReason } from '../destinations/index.ts';

/** Of one member. A private key in PEM is the longest that a platform gives out. */
const MAX_CREDENTIAL = 10_000;
const MAX_MEMBERS = 50;
const MAX_MAPPED = 200;

const reasons = Object.keys(SKIP_REASONS) as [SkipReason, ...SkipReason[]];
const instant = z.iso.datetime().nullable();
const anything = z.object({}).loose();
const strings = z.record(z.string(), z.string());

const configSchema = z
  .record(z.string().max(100), z.unknown())
  .refine((config) => Object.keys(config).length <= MAX_MEMBERS, `At most ${MAX_MEMBERS} members.`)
  .openapi({ description: 'By the platform’s `config_schema`' });
const credentialSchema = z.string().max(MAX_CREDENTIAL, `At most ${MAX_CREDENTIAL} characters.`);
const credentialsSchema = z
  .record(z.string().max(100), credentialSchema.nullable())
  .refine((members) => Object.keys(members).length <= MAX_MEMBERS, `At most ${MAX_MEMBERS} members.`)
  .openapi({
    description:
      'By the platform’s `credentials_schema`; encrypted, and never returned. null removes a member',
  });
const eventsSchema = z
  .record(z.string().max(100), z.string().trim().min(1).max(200).nullable())
  .refine((events) => Object.keys(events).length <= MAX_MAPPED, `At most ${MAX_MAPPED} events.`)
  .openapi({
    description:
      'Topic, or `custom:` and an event name → the platform’s event; null: not forwarded. What is not named follows the platform’s default',
  });

export const newDestinationSchema = z
  .object({
    platform: z.enum(PLATFORMS),
    name: nameSchema,
    config: configSchema,
    credentials: credentialsSchema,
    events: eventsSchema.default({}),
  })
  .openapi('NewDestination');
export const destinationChangesSchema = z
  .object({
    name: nameSchema.optional(),
    config: configSchema.optional().openapi({
      description:
        'Replaces all of it; a member that the schema calls `writeOnly` stays where it is absent or as it was shown',
    }),
    credentials: credentialsSchema
      .optional()
      .openapi({ description: 'Given members replace; others don’t change; null removes one' }),
    events: eventsSchema.optional().openapi({ description: 'Replaces all members' }),
    paused: z.boolean().optional(),
    clear_alarm: z.literal(true).optional(),
  })
  .openapi('DestinationChanges');

const alarmSchema = z.object({
  kind: z.enum(['auth', 'config']),
  code: z.string(),
  message: z.string(),
  at: z.iso.datetime(),
});
const count = z.number().int();
export const destinationSchema = z
  .object({
    id: z.string(),
    platform: z.enum(PLATFORMS),
    name: z.string(),
    state: z.enum(['active', 'paused', 'alarm']),
    alarm: alarmSchema
      .nullable()
      .openapi({ description: 'An answer of the platform that needs a configuration fix' }),
    config: anything,
    credentials: z.object({
      set: z.array(z.string()).openapi({ description: 'Names of the members that are set' }),
      changed_at: z.iso.datetime(),
    }),
    events: z.record(z.string(), z.string().nullable()),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    health: z.object({
      waiting: count,
      oldest_waiting_at: instant,
      delivered_24h: count.openapi({ description: 'Like the others, for deliveries of the last 24 hours' }),
      skipped_24h: count,
      dead_24h: count,
      unknown_24h: count,
      last_delivered_at: instant,
      not_before: instant.openapi({ description: 'The platform asked to wait, or its breaker is open' }),
      failures: count.openapi({ description: 'Consecutive failed requests' }),
    }),
  })
  .openapi('Destination');
export const destinationsSchema = z.object({ items: z.array(destinationSchema) }).openapi('Destinations');

const guaranteeSchema = z.enum(['dedup', 'at_most_once']);
const defaultSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('name'), name: z.string() }),
  z.object({ kind: z.literal('needs_mapping') }),
  z.object({ kind: z.literal('unsupported') }),
]);
/** Not a record: its document would not say that every topic is there. */
const perTopic = <T extends z.ZodType>(schema: T) =>
  z.object(Object.fromEntries(TOPICS.map((topic) => [topic, schema])) as Record<(typeof TOPICS)[number], T>);
export const platformsSchema = z
  .object({
    items: z.array(
      z
        .object({
          platform: z.enum(PLATFORMS),
          title: z.string(),
          summary: z.string(),
          documentation: z.string(),
          consent: z.enum(['advertising', 'analytics', 'configurable']),
          guarantees: perTopic(guaranteeSchema),
          max_batch: count,
          max_age_days: z.number().nullable(),
          config_schema: anything.openapi({ description: 'JSON Schema' }),
          credentials_schema: anything.openapi({ description: 'JSON Schema' }),
          events: z.object({
            label: z.string(),
            pattern: z.string(),
            example: z.string(),
            choices: z.array(z.string()),
            defaults: perTopic(defaultSchema),
          }),
          test: z.object({ kind: z.enum(['validate', 'code', 'none']), explanation: z.string() }),
          plain_fields: z.array(z.string()),
        })
        .openapi('Platform'),
    ),
  })
  .openapi('Platforms');

/** A named schema or null. `nullable` would make the name itself mean both in the document. */
export const orNull = <T extends z.ZodType>(schema: T) => z.union([schema, z.null()]);

export const requestSchema = z
  .object({ method: z.string(), url: z.string(), headers: strings, body: z.string().nullable() })
  .openapi('MaskedRequest', { description: 'Secrets and personal data masked' });
export const responseSchema = z
  .object({ status: count, body: z.string() })
  .openapi('MaskedResponse', { description: 'Truncated and masked' });

export const testSchema = z
  .object({
    topic: z.enum(TOPICS).default('purchase'),
    code: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .openapi({ description: 'Code of the platform’s own test view' }),
    live: z
      .boolean()
      .default(false)
      .openapi({ description: 'Sends a real event, which counts at the platform' }),
  })
  .openapi('DestinationTest');
export const testAnswerSchema = z
  .object({
    mode: z.enum(['validate', 'code', 'shown', 'live']),
    sent: z.boolean(),
    event_name: z.string().nullable(),
    skip: z.object({ reason: z.enum(reasons), message: z.string() }).nullable(),
    request: orNull(requestSchema),
    response: orNull(responseSchema),
    verdict: z
      .object({ kind: z.string(), code: z.string().nullable(), message: z.string().nullable() })
      .nullable(),
    explanation: z.string(),
    notes: z.array(z.string()),
  })
  .openapi('DestinationTestAnswer');
