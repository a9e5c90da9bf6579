/** A rule that refuses impersonators, for the places that can have one, and what it would have refused in the period. */
import { z } from '@hono/zod-openapi';
import { sum } from '../../common/index.ts';
import { type ClaimedRow, claimedNames } from '../../warehouse/index.ts';
import { blockingRule, RANGE_STATES, rangeStateOf } from '../blocking/rule.ts';
import { RENDER, TARGETS, type Target } from '../blocking/targets.ts';
import type { ReportContext } from '../context.ts';
import { rounded } from '../numbers.ts';
import { defineAnswer } from '../report.ts';

const STATES = [...RANGE_STATES, 'signed'] as const;

const STATES_OF_TARGET = [...STATES, 'platform'] as const;

const botSchema = z.object({
  bot: z.string(),
  vendor: z.string(),
  state: z.enum(STATES).openapi({
    description:
      '`ok`: in the rule. Left out: `no_ranges` (the vendor publishes no addresses), `not_loaded`, `incomplete`, `outdated` (the addresses were read more than 7 days ago), `signed` (some of its genuine visits, of any period, are known by a signature, from any address)',
  }),
  ranges_as_of: z.string(),
  prefixes: z.number().int(),
  spoofed: z.number(),
  verified: z.number(),
  unknown: z.number(),
});
type Bot = z.infer<typeof botSchema>;
const targetSchema = z.object({
  target: z.enum(TARGETS),
  bots: z.array(z.string()).openapi({ description: 'That the rule covers here' }),
  left_out: z.array(z.object({ bot: z.string(), why: z.enum(STATES_OF_TARGET).exclude(['ok']) })).openapi({
    description:
      'Bots of `bots` that it does not cover here, with the reason: a `state`, or `platform` (Cloudflare has verified some of its visits, of any period, and only Cloudflare can tell them)',
  }),
  parts: z
    .array(z.object({ place: z.string(), text: z.string() }))
    .openapi({ description: 'What to paste, and where; empty: there is nothing to paste' }),
  blocked: z.number().openapi({ description: 'Spoofed visits of the period that the rule matches' }),
  verified: z.number().openapi({
    description: 'Verified visits that it may match; a bot that has any is left out, so this is 0',
  }),
  unknown: z
    .number()
    .openapi({ description: 'Visits that it may match or not: their addresses could not be checked' }),
});
const answerSchema = z.object({
  bots: z.array(botSchema).openapi({
    description:
      'Bots whose names impersonators used, in this period or another, most used in the period first; with `cover=all` every bot that could be covered too. Period and filters change their figures, and not which they are; only `bot` and `vendor` narrow the rule itself',
  }),
  targets: z.array(targetSchema),
});

export const blocking = defineAnswer({
  name: 'blocking',
  path: 'trust/blocking',
  summary: 'A rule that refuses impersonators, and what it would have refused',
  schema: 'BlockingRule',
  population: 'all',
  parameters: {
    cover: z.enum(['impersonated', 'all']).default('impersonated').openapi({
      description: '`all`: also bots whose names no impersonator has used',
    }),
  },
  answer: answerSchema,
  async run(context, { cover }) {
    const [rows, ever] = await Promise.all([
      claimedNames(context.warehouse, context, context.signal),
      // Which bots a rule may cover must not depend on what a page shows: genuine visits that prove it unsafe may be of another day.
      context.everything().then((everything) => claimedNames(context.warehouse, everything, context.signal)),
    ]);
    const bots = coverable(context, ever, cover === 'all').map((known) =>
      botOf(
        context,
        known,
        rows.find(({ bot }) => bot === known.bot),
      ),
    );
    const ordered = bots.toSorted((a, b) => b.spoofed - a.spoofed);
    return { bots: ordered, targets: TARGETS.map((target) => targetOf(context, target, ordered, ever)) };
  },
});

/** @param known of everything that is kept @param row of the period; undefined: it had no visit */
function botOf({ botLists, now }: ReportContext, known: ClaimedRow, row: ClaimedRow | undefined): Bot {
  const { state, asOf, prefixes } = rangeStateOf(botLists(), known.bot, now);
  return {
    bot: known.bot,
    vendor: known.vendor,
    state: state === 'ok' && known.signed > 0 ? 'signed' : state,
    ranges_as_of: asOf,
    prefixes,
    spoofed: rounded(row?.spoofed ?? 0),
    verified: rounded(row?.verified ?? 0),
    unknown: rounded(row?.unknown ?? 0),
  };
}

/** Bots that impersonators used, and with `isAll` the others with ranges in order. Filters on bots narrow both. */
function coverable(
  { botLists, filter, now }: ReportContext,
  ever: readonly ClaimedRow[],
  isAll: boolean,
): ClaimedRow[] {
  const lists = botLists();
  const same = (asked: string | undefined, value: string) =>
    asked === undefined || asked.toLowerCase() === value.toLowerCase();
  const found = new Map(ever.filter(({ spoofed }) => spoofed > 0).map((row) => [row.bot, row]));
  const others = isAll ? lists.bot_patterns.toSorted((a, b) => (a.bot_name < b.bot_name ? -1 : 1)) : [];
  for (const { bot_name: bot, vendor } of others)
    if (!found.has(bot) && rangeStateOf(lists, bot, now).state === 'ok')
      found.set(bot, ever.find((row) => row.bot === bot) ?? { ...NONE, bot, vendor });
  return [...found.values()].filter(
    ({ bot, vendor }) => same(filter.bot, bot) && same(filter.vendor, vendor),
  );
}
const NONE = { verified: 0, spoofed: 0, unknown: 0, signed: 0, platform: 0 } as const;

type WhyLeftOut = z.infer<typeof targetSchema>['left_out'][number]['why'];

/** null: it is covered. Cloudflare knows the crawlers that it has verified; elsewhere their addresses are the only proof. */
const whyLeftOut = (target: Target, { bot, state }: Bot, ever: readonly ClaimedRow[]): WhyLeftOut | null => {
  if (state !== 'ok') return state;
  const isElsewhere = target !== 'cloudflare';
  return isElsewhere && ever.some((row) => row.bot === bot && row.platform > 0) ? 'platform' : null;
};

function targetOf(
  { now, botLists }: ReportContext,
  target: Target,
  bots: readonly Bot[],
  ever: readonly ClaimedRow[],
): z.infer<typeof targetSchema> {
  const isPossible = target !== 'robots';
  const covered = isPossible ? bots.filter((bot) => whyLeftOut(target, bot, ever) === null) : [];
  const rule = blockingRule(
    botLists(),
    covered.map(({ bot }) => bot),
  );
  const head = [
    `Ghostlight, ${new Date(now).toISOString().slice(0, 10)}, bot list ${botLists().version}: refuses visitors that call themselves`,
    `${rule.bots.join(', ')} from addresses that their vendors do not publish.`,
    'The server must see the address of the visitor itself: behind a proxy or CDN set that up first, or genuine crawlers are refused.',
    'Vendors add addresses: renew this rule every week.',
  ];
  return {
    target,
    bots: [...rule.bots],
    left_out: isPossible
      ? bots.flatMap((bot) => {
          const why = whyLeftOut(target, bot, ever);
          return why === null ? [] : [{ bot: bot.bot, why }];
        })
      : [],
    parts: covered.length > 0 ? RENDER[target](rule, head) : [],
    blocked: rounded(sum(covered, ({ spoofed }) => spoofed)),
    // A bot with visits that its address doesn't prove is left out.
    verified: 0,
    unknown: rounded(sum(covered, ({ unknown }) => unknown)),
  };
}
