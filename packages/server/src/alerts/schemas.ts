/** The forms of the alerts part of the management API. */
import { z } from '@hono/zod-openapi';
import { nameSchema, narrowing, pageOf, pageQuery } from '../common/index.ts';
import { POPULATIONS } from '../warehouse/index.ts';
import { CHANNEL_TYPES } from './channel-address.ts';
import { DEFAULT_POPULATION, KINDS, REPEAT_HOURS, UNITS } from './kinds.ts';

const kind = z.enum(KINDS);
const type = z.enum(CHANNEL_TYPES);
const target = z
  .string()
  .trim()
  .max(2_048, 'Must have at most 2048 characters.')
  .openapi({ description: 'Email address, or URL' });

export const alertQuery = narrowing.extend({
  ...pageQuery.shape,
  kind: kind.optional(),
  state: z.enum(['open', 'resolved']).optional(),
});

/** What became of a message. */
const attempted = z.object({
  at: z.iso
    .datetime()
    .openapi({ description: 'Time of the newest attempt; before the first, the time of creation' }),
  ok: z.boolean().nullable().openapi({ description: 'null: waiting for its first or next attempt' }),
  error: z.string().nullable().openapi({
    description:
      'A word: http_<status>, timeout, unreachable, no_such_host, private_address, bad_certificate, mail_<code>, no_mail, channel_off, unreadable, too_many',
  }),
});

const sentSchema = z.object({
  channel: z.string().openapi({ description: '`ach_…`' }),
  name: z.string(),
  type,
  phase: z.enum(['opened', 'resolved']),
  ...attempted.shape,
  attempts: z.number().int(),
});

export const alertSchema = z
  .object({
    id: z.string().openapi({ description: '`alt_…`' }),
    kind,
    subject: z.string().openapi({ description: 'Bot, engine or destination; empty: the whole property' }),
    state: z.enum(['open', 'resolved']),
    at: z.iso.datetime().openapi({ description: 'Start time' }),
    resolved_at: z.iso.datetime().nullable(),
    acknowledged_at: z.iso.datetime().nullable(),
    acknowledged_by: z.string().nullable().openapi({ description: 'The actor, as in the audit log' }),
    title: z.string(),
    text: z.string(),
    figures: z.object({
      now: z.number().openapi({ description: 'Peak value' }),
      usual: z.number().nullable(),
      unit: z.enum(UNITS),
    }),
    population: z.enum(POPULATIONS).nullable().openapi({
      description:
        'Whose visits the figures count: `verified_unknown`, or `all` if they include spoofed ones; null: they count no visits',
    }),
    link: z.string().openapi({
      description:
        'Where it is looked into, as a path below the property in the dashboard: the report with its filters, at the days of what was found and the two weeks before it',
    }),
    sent: z.array(sentSchema),
  })
  .openapi('Alert');

export const alertPageSchema = z.object({
  ...pageOf(alertSchema).shape,
  open: z.number().int().openapi({ description: 'How many are open, whatever is asked for' }),
  checked_at: z.iso.datetime().nullable().openapi({
    description: 'When the property was last evaluated; null: it never was',
  }),
  population: z.literal(DEFAULT_POPULATION).openapi({
    description: 'The population that rules count; alerts of rules with another one have their own',
  }),
});

export const rulesSchema = z
  .object({
    repeat_hours: z.number().int(),
    rules: z.array(
      z.object({
        kind,
        title: z.string(),
        description: z.string().openapi({ description: '{n} is replaced by the threshold' }),
        details: z.string().openapi({ description: 'What is compared, and further conditions' }),
        enabled: z.boolean(),
        threshold: z.number(),
        unit: z.string(),
        fires: z.enum(['at_least', 'below']).openapi({
          description: 'Whether a figure reaches the threshold from there, or by being under it',
        }),
        default: z.number(),
        min: z.number(),
        max: z.number(),
        muted_until: z.iso
          .datetime()
          .nullable()
          .openapi({ description: 'Until then alerts of it are listed and not sent' }),
      }),
    ),
  })
  .openapi('AlertRules');

export const ruleHistorySchema = z
  .object({
    time_zone: z.string().openapi({ description: 'Days are of this zone' }),
    items: z.array(
      z.object({
        kind,
        unit: z.string(),
        fires: z.enum(['at_least', 'below']).openapi({
          description: 'How a figure reaches the threshold. Rules have other conditions besides',
        }),
        days: z.array(
          z.object({
            day: z.iso.date(),
            value: z.number().nullable().openapi({
              description: 'The figure that is compared with the threshold, not rounded',
            }),
            reason: z.enum(['too_little', 'unknown']).nullable().openapi({
              description:
                'Why there is no figure: too little came to say anything, or hits of the day, or of the days that it is compared with, were deleted or never there',
            }),
          }),
        ),
      }),
    ),
  })
  .openapi('AlertRuleHistory');

export const ruleChangesSchema = z.object({
  repeat_hours: z
    .number()
    .int()
    .min(REPEAT_HOURS.min, `At least ${REPEAT_HOURS.min}.`)
    .max(REPEAT_HOURS.max, `At most ${REPEAT_HOURS.max}.`)
    .optional()
    .openapi({ description: 'At most one message per rule and subject within this many hours' }),
  rules: z
    .array(
      z.object({
        kind,
        enabled: z.boolean().optional(),
        threshold: z.number().nullable().optional().openapi({ description: 'null: the default' }),
        muted_until: z.iso.datetime({ offset: true }).nullable().optional().openapi({
          description: 'Within 31 days; null: it sends again',
        }),
      }),
    )
    .max(KINDS.length)
    .optional()
    .openapi({ description: 'Omitted members don’t change' }),
});

const kinds = z
  .array(kind)
  .max(KINDS.length)
  .nullable()
  .openapi({ description: 'The rules whose alerts it gets; null: all' });
export const replySchema = z.object({ acknowledged: z.boolean() });

const channel = z.object({
  id: z.string().openapi({ description: '`ach_…`' }),
  type,
  name: z.string(),
  target: z.string().nullable().openapi({
    description: 'Email address, or the URL’s host; null: it can’t be decrypted any more, enter it again',
  }),
  enabled: z.boolean(),
  everywhere: z.boolean().openapi({ description: 'For all properties of the organization' }),
  kinds,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export const channelSchema = channel
  .extend({
    last: attempted.nullable().openapi({
      description:
        'The message that was tried last, about an alert of any property; tests don’t count. null: none was',
    }),
  })
  .openapi('AlertChannel');
export const madeChannelSchema = channel
  .extend({
    secret: z
      .string()
      .nullable()
      .openapi({ description: 'For a webhook with a new signing secret; never shown again' }),
  })
  .openapi('MadeAlertChannel');
export const channelsSchema = z.object({
  items: z.array(channelSchema),
  email_available: z
    .boolean()
    .openapi({ description: 'Whether the service sends mail (SMTP_URL, MAIL_FROM)' }),
});

export const newChannelSchema = z.object({
  type,
  name: nameSchema,
  target,
  everywhere: z.boolean().default(false),
  kinds: kinds.default(null),
});
export const channelChangesSchema = z.object({
  name: nameSchema.optional(),
  target: target.optional(),
  enabled: z.boolean().optional(),
  kinds: kinds.optional(),
  rotate_secret: z.boolean().optional().openapi({ description: 'Rotates the signing secret at once' }),
});

export const trialSchema = z
  .object({ ok: z.boolean(), error: z.string().nullable().openapi({ description: 'A word, as in `sent`' }) })
  .openapi('AlertTrial');
