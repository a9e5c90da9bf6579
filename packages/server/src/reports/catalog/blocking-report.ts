/** A rule that refuses impersonators, for the places that can have one, and what it would have refused in the period. */
import { z } from '@hono/zod-openapi';
import { sum } from '../../common/index.ts';
import { type ClaimedRow, claimedNames } from '../../warehouse/index.ts';
import { type BlockingRule, blockingRule, RANGE_STATES, rangeStateOf } from '../blocking/rule.ts';
import { RENDER, TARGETS, type Target } from '../blocking/targets.ts';
import type { ReportContext } from '../context.ts';
import { rounded } from '../numbers.ts';
import { defineAnswer } from '../report.ts';

const STATES = [...RANGE_STATES, 'signed'] as const;

const botSchema = z.object({
  bot: z.string(),
  vendor: z.string(),
  state: z.enum(STATES).openapi({
    description:
      '`ok`: in the rule. Left out: `no_ranges` (the vendor publishes no addresses), `not_loaded`, `incomplete`, `outdated` (the addresses were read more than 7 days ago), `signed` (some of its genuine visits are known by a signature, from any address)',
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
      'Bots whose names impersonators used, most used first; with `cover=all` every bot that could be covered',
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
      description: '`all`: also bots whose names no impersonator used in the period',
    }),
  },
  answer: answerSchema,
  async run(context, { cover }) {
    const rows = await claimedNames(context.warehouse, context, context.signal);
    const lists = context.botLists();
    const claimed = rows.filter(({ spoofed }) => spoofed > 0);
    const others = cover === 'all' ? coverable(context, rows) : [];
    const bots = [...claimed, ...others].map((row) => botOf(context, row));
    const covered = bots.filter(({ state }) => state === 'ok').map(({ bot }) => bot);
    return {
      bots,
      targets: TARGETS.map((target) => {
        const names = covered.filter((bot) => suits(target, rows, bot));
        return targetOf(context, target, blockingRule(lists, names), rows);
      }),
    };
  },
});

function botOf(context: ReportContext, row: ClaimedRow): Bot {
  const { state, asOf, prefixes } = rangeStateOf(context.botLists(), row.bot, context.now);
  return {
    bot: row.bot,
    vendor: row.vendor,
    state: state === 'ok' && row.signed > 0 ? 'signed' : state,
    ranges_as_of: asOf,
    prefixes,
    spoofed: rounded(row.spoofed),
    verified: rounded(row.verified),
    unknown: rounded(row.unknown),
  };
}

/** Bots with ranges in order that were not impersonated. Filters on bots narrow them too. */
function coverable({ botLists, filter, now }: ReportContext, rows: readonly ClaimedRow[]): ClaimedRow[] {
  const lists = botLists();
  const seen = new Map(rows.map((row) => [row.bot, row]));
  const same = (asked: string | undefined, value: string) =>
    asked === undefined || asked.toLowerCase() === value.toLowerCase();
  const found = new Map<string, ClaimedRow>();
  for (const { bot_name: bot, vendor } of lists.bot_patterns) {
    const row = seen.get(bot) ?? { bot, vendor, verified: 0, spoofed: 0, unknown: 0, signed: 0, platform: 0 };
    if (row.spoofed > 0 || !same(filter.bot, bot) || !same(filter.vendor, vendor)) continue;
    if (rangeStateOf(lists, bot, now).state === 'ok') found.set(bot, row);
  }
  return [...found.values()].sort((a, b) => (a.bot < b.bot ? -1 : 1));
}

/** Cloudflare knows the crawlers that it has verified; elsewhere their addresses are the only proof. */
const suits = (target: Target, rows: readonly ClaimedRow[], bot: string): boolean =>
  target === 'cloudflare' || rows.every((row) => row.bot !== bot || row.platform === 0);

function targetOf(
  { now, botLists }: ReportContext,
  target: Target,
  rule: BlockingRule,
  rows: readonly ClaimedRow[],
): z.infer<typeof targetSchema> {
  const covered = rows.filter(({ bot }) => rule.bots.includes(bot));
  const isPossible = rule.bots.length > 0 && target !== 'robots';
  const head = [
    `Ghostlight, ${new Date(now).toISOString().slice(0, 10)}, bot list ${botLists().version}: refuses visitors that call themselves`,
    `${rule.bots.join(', ')} from addresses that their vendors do not publish.`,
    'The server must see the address of the visitor itself: behind a proxy or CDN set that up first, or genuine crawlers are refused.',
    'Vendors add addresses: renew this rule every week.',
  ];
  return {
    target,
    bots: target === 'robots' ? [] : [...rule.bots],
    parts: isPossible ? RENDER[target](rule, head) : [],
    blocked: isPossible ? total(covered, ({ spoofed }) => spoofed) : 0,
    verified: isPossible
      ? total(covered, ({ signed, platform }) => signed + (target === 'cloudflare' ? 0 : platform))
      : 0,
    unknown: isPossible ? total(covered, ({ unknown }) => unknown) : 0,
  };
}

const total = (rows: readonly ClaimedRow[], of: (row: ClaimedRow) => number): number =>
  rounded(sum(rows, of));
