/** What the reports of single visits are asked for: their filters, their time, and the place in their order. */
import { HIT_CLASSES, VERDICT_REASONS, VERIFICATION_METHODS, type VerdictReason } from '@ghostlight/core';
import { z } from '@hono/zod-openapi';
import { ServiceError } from '../common/index.ts';
import {
  type StatusRange,
  VISIT_VERDICTS,
  type VisitFilter,
  type VisitKey,
  type VisitQuery,
} from '../warehouse/index.ts';
import type { ReportContext } from './context.ts';
import type { ReportParameters } from './parameters.ts';

type HitClass = (typeof HIT_CLASSES)[number];
/** Samples of ordinary traffic are read only if they are asked for. */
const USUAL_CLASSES: readonly HitClass[] = ['ai_bot', 'ai_referral', 'search_engine'];
const MOST_WORDS = 20;

/** Words of a closed set, separated by commas; empty text is as if it were left out. */
const words = <const Words extends readonly [string, ...string[]]>(known: Words) =>
  z
    .string()
    .max(400)
    .optional()
    .transform((text, context): Words[number][] | undefined => {
      const named = (text ?? '').split(',').filter((word) => word !== '');
      if (named.length === 0) return undefined;
      const found = known.filter((word) => named.includes(word));
      if (named.every((word) => known.some((one) => one === word))) return found;
      context.addIssue({ code: 'custom', message: `Words are ${known.join(', ')}.` });
      return z.NEVER;
    });

/** As reports group them: a 304 says that nothing has changed, which is an answer. */
const GROUPS: Readonly<Record<string, readonly StatusRange[]>> = {
  ok: [
    { from: 200, to: 299 },
    { from: 304, to: 304 },
  ],
  redirect: [{ from: 300, to: 399, but: 304 }],
  error: [{ from: 400, to: 599 }],
};

/** `404`, `4xx`, `error`, separated by commas. */
const statuses = z
  .string()
  .max(100)
  .optional()
  .transform((text, context): StatusRange[] | undefined => {
    const named = (text ?? '').split(',').filter((word) => word !== '');
    if (named.length === 0) return undefined;
    const ranges = named.map((word): readonly StatusRange[] => {
      const group = GROUPS[word];
      if (group !== undefined && Object.hasOwn(GROUPS, word)) return group;
      if (/^[1-5]xx$/.test(word)) return [{ from: Number(word[0]) * 100, to: Number(word[0]) * 100 + 99 }];
      return /^\d{1,3}$/.test(word) ? [{ from: Number(word), to: Number(word) }] : [];
    });
    if (ranges.every(({ length }) => length > 0) && ranges.length <= MOST_WORDS) return ranges.flat();
    context.addIssue({ code: 'custom', message: 'Enter statuses such as 404, 4xx, ok, redirect or error.' });
    return z.NEVER;
  })
  .openapi({
    type: 'string',
    description:
      'Several with commas: `404`, `4xx`, `ok` (2xx and 304), `redirect` (3xx without 304), `error` (4xx and 5xx)',
    example: '404,410',
  });

const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .optional();

/** Empty text would read as 0, which is the unknown network. */
const network = z
  .string()
  .regex(/^\d{1,10}$/, 'A network is a number.')
  .transform(Number)
  .pipe(z.number().max(4_294_967_295))
  .optional();

const contained = z.string().max(256).optional();

export const visitParameters = {
  class: words(HIT_CLASSES).openapi({
    type: 'string',
    description:
      'Several with commas: ai_bot, ai_referral, search_engine, sample, test. Default: all but samples of ordinary traffic and test visits',
  }),
  verdict: words(VISIT_VERDICTS).openapi({
    type: 'string',
    description:
      'Several with commas: verified, spoofed, unknown, and none. Only bots have one: `none` are the visits of people',
  }),
  verdict_reason: z.enum(Object.keys(VERDICT_REASONS) as [VerdictReason, ...VerdictReason[]]).optional(),
  verified_by: z.enum(VERIFICATION_METHODS).optional(),
  path_contains: contained.openapi({ description: 'A part of the path, in any letter case' }),
  kind: z.enum(['page', 'file']).optional().openapi({
    description: 'What the form of the path says: `file` for addresses of images, styles and the like',
  }),
  status: statuses,
  asn: network.openapi({
    type: 'integer',
    description: 'Number of the visitor’s network; 0: the network is not known',
  }),
  source: z
    .string()
    .max(400)
    .optional()
    .openapi({ description: 'Names of log sources, several with commas' }),
  version: z.string().max(64).optional().openapi({ description: 'Version of the collector' }),
  user_agent: contained.openapi({ description: 'A part of the user agent, in any letter case' }),
  engine: z.string().max(128).optional().openapi({ description: 'The AI product of a referral' }),
  referral_signal: z.enum(['referrer', 'app', 'utm_source']).optional().openapi({
    description: 'What identified a referral',
  }),
  other_bot: z.enum(['true', 'false']).optional().openapi({
    description: 'Of samples: whether the visitor is a program',
  }),
  since: instant.openapi({
    type: 'string',
    format: 'date-time',
    description: 'Not before this moment; narrows the days',
  }),
  until: instant.openapi({
    type: 'string',
    format: 'date-time',
    description: 'Before this moment; narrows the days',
  }),
} as const;
export type VisitParameters = ReportParameters & z.infer<z.ZodObject<typeof visitParameters>>;

const textOf = (text: string | undefined) => (text === undefined || text === '' ? undefined : text);
const namesOf = (text: string | undefined): string[] | undefined => {
  const names = (text ?? '').split(',').filter((name) => name !== '');
  return names.length === 0 ? undefined : names;
};
const WORD_OF = { true: 'verified', false: 'spoofed', unknown: 'unknown' } as const;

/** @throws ServiceError `invalid` */
export function visitQuery({ plan }: Pick<ReportContext, 'plan'>, asked: VisitParameters): VisitQuery {
  const { since, until, class: classes, verdict: named, verified, other_bot: isBot, status } = asked;
  if (since !== undefined && until !== undefined && since >= until)
    throw new ServiceError('invalid', 'The query is invalid.', {
      errors: [{ pointer: '/until', message: 'Must be later than "since".' }],
    });
  const first = Math.max(plan.from, plan.keptFromOf(classes ?? USUAL_CLASSES));
  const last = Math.max(plan.to, first - 1);
  const [begin, end] = [plan.startOf(first), plan.startOf(last + 1)];
  const from = Math.min(Math.max(begin, since ?? begin), end);
  const to = Math.max(from, Math.min(end, until ?? end));
  const verdicts =
    verified === undefined ? named : [WORD_OF[verified]].filter((one) => named?.includes(one) !== false);
  const filter: { [Name in keyof VisitFilter]: VisitFilter[Name] | undefined } = {
    classes: classes ?? USUAL_CLASSES,
    verdicts,
    bot: textOf(asked.bot),
    vendor: textOf(asked.vendor),
    intent: asked.intent,
    verdict_reason: asked.verdict_reason,
    verified_by: asked.verified_by,
    path: textOf(asked.path),
    page: textOf(asked.page),
    path_contains: textOf(asked.path_contains),
    kind: asked.kind,
    host: textOf(asked.host),
    statuses: status,
    country: textOf(asked.country),
    asn: asked.asn,
    sources: namesOf(asked.source),
    version: textOf(asked.version),
    user_agent: textOf(asked.user_agent),
    engine: textOf(asked.engine),
    referral_signal: asked.referral_signal,
    other_bot: isBot === undefined ? undefined : isBot === 'true',
  };
  return {
    plan: {
      ...plan,
      ...{ from: first, to: last, previous: null, comparedTo: first - 1, isComparable: false },
      rawDays: plan.rawDays.filter((day) => day >= first && day <= last),
    },
    filter: Object.fromEntries(
      Object.entries(filter).filter(([, value]) => value !== undefined),
    ) as unknown as VisitFilter,
    from,
    to,
    isWholeDays: from === begin && to === end,
  };
}

/** A visit's place as text. */
export const cursorOf = ({ at, id }: VisitKey): string => `${at}.${id}`;
const cursor = z
  .string()
  .regex(/^\d{1,15}\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'Use a cursor from an earlier response.')
  .transform((text): VisitKey => {
    const [at = '', id = ''] = text.split('.');
    return { at: Number(at), id };
  })
  .optional();
export const cursorParameters = {
  after: cursor.openapi({
    type: 'string',
    description: '`next` of an earlier answer: the visits that follow',
  }),
  before: cursor.openapi({
    type: 'string',
    description: '`previous` of an earlier answer: the visits that come before; without `after`',
  }),
} as const;
