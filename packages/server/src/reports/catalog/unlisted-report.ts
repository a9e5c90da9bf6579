/** Programs that are probably crawlers and that no list names, from samples and from logs that count requests. */
import { z } from '@hono/zod-openapi';
import { sum } from '../../common/index.ts';
import { type ProgramRow, trafficRows, unlistedPrograms } from '../../warehouse/index.ts';
import { momentsOf } from '../context.ts';
import { type CrawlerName, crawlerName } from '../crawler-name.ts';
import { moment, rounded } from '../numbers.ts';
import { defineAnswer } from '../report.ts';
import { limitsOf, partOf } from '../share.ts';

const MOST_ITEMS = 50;
/** So many visits say that it comes again. */
const SEEN_AGAIN = 5;
const CERTAINTIES = ['likely', 'possible', 'unlikely'] as const;

const itemSchema = z.object({
  name: z.string().openapi({ description: 'As it calls itself' }),
  token: z
    .string()
    .nullable()
    .openapi({ description: 'For `POST /lists/custom-bots`; null: `fault` says why it can’t be added' }),
  fault: z.string().nullable().openapi({ description: 'Continues “The name is …”' }),
  added: z.boolean().openapi({ description: 'The list has it now; these visits came before' }),
  certainty: z.enum(CERTAINTIES).openapi({
    description:
      'That it is a crawler. `likely`: it is named like one, gives an address for questions, and was seen five times; `possible`: one of the first two; `unlikely`: neither, such as the name of a library',
  }),
  contact: z.string().openapi({ description: 'The host that it names for questions; empty: none' }),
  user_agent: z.string().openapi({ description: 'The one seen most' }),
  user_agents: z.number().int(),
  samples: z.number().int().openapi({ description: 'Visits that were seen' }),
  counted: z.number().int().openapi({ description: 'Requests that logs counted' }),
  estimated: z.number().openapi({ description: 'Visits that both stand for' }),
  low: z.number().openapi({ description: 'Lower limit of `estimated`, 95%' }),
  high: z.number(),
  robots: z
    .number()
    .int()
    .openapi({ description: 'Samples that asked for `/robots.txt`; logs that count don’t say' }),
  networks: z.array(z.number().int()).openapi({ description: 'ASNs, at most 20' }),
  first_seen: z.iso.datetime().nullable(),
  last_seen: z.iso.datetime().nullable(),
});
type Item = z.infer<typeof itemSchema>;
const answerSchema = z.object({
  items: z
    .array(itemSchema)
    .openapi({ description: 'Most visits first, at most 50. Crawlers of search engines are left out' }),
  total: z.number().int(),
  programs: z.object({
    sampled: z.number().openapi({ description: 'Visits of all unlisted programs that samples stand for' }),
    counted: z.number().openapi({ description: 'Requests that logs counted, of all unlisted programs' }),
    unnamed: z.number().openapi({
      description: 'Of those, requests of programs that the log doesn’t tell apart',
    }),
  }),
});

export const unlisted = defineAnswer({
  name: 'unlisted',
  path: 'trust/unlisted',
  summary: 'Programs that are probably crawlers and that the bot list doesn’t name',
  schema: 'UnlistedCrawlers',
  answer: answerSchema,
  async run(context) {
    const { warehouse, signal } = context;
    const [rows, traffic] = await Promise.all([
      unlistedPrograms(warehouse, context, momentsOf(context), signal),
      trafficRows(warehouse, context, signal),
    ]);
    const listed = new Set(context.botLists().bot_patterns.map(({ pattern }) => pattern));
    const items = [...byName(rows).values()]
      .map((named) => itemOf(named, listed))
      .sort((a, b) => b.estimated - a.estimated || (a.name < b.name ? -1 : 1));
    const counted = wholeOf(traffic.filter((row) => row.class === 'counted' && row.other_bot));
    return {
      items: items.slice(0, MOST_ITEMS),
      total: items.length,
      programs: {
        sampled: rounded(wholeOf(rows.filter(({ is_counted: isCounted }) => !isCounted))),
        counted: rounded(counted),
        unnamed: rounded(counted - wholeOf(rows.filter(({ is_counted: isCounted }) => isCounted))),
      },
    };
  },
});

/** Visits that rows of a share of them stand for. */
const wholeOf = (rows: readonly Pick<ProgramRow, 'hits' | 'sample_rate'>[]): number =>
  sum(rows.map(({ hits, sample_rate: rate }) => hits / (rate > 0 ? rate : 1)));

interface Named {
  readonly crawler: CrawlerName;
  readonly rows: ProgramRow[];
}

function byName(rows: readonly ProgramRow[]): Map<string, Named> {
  const named = new Map<string, Named>();
  for (const row of rows) {
    const crawler = crawlerName(row.user_agent);
    if (crawler === null) continue;
    const key = crawler.name.toLowerCase();
    const known = named.get(key);
    if (known === undefined) named.set(key, { crawler, rows: [row] });
    else known.rows.push(row);
  }
  return named;
}

function itemOf({ crawler, rows }: Named, listed: ReadonlySet<string>): Item {
  const { name, token, fault, contact } = crawler;
  const part = partOf(
    rows.map(({ sample_rate: rate, hits }) => ({ rate, hits })),
    true,
  );
  const { low, high } = limitsOf(part, 0);
  const [counted, samples] = [true, false].map((isCounted) =>
    sum(rows.filter((row) => row.is_counted === isCounted).map(({ hits }) => hits)),
  ) as [number, number];
  const most = rows.reduce((first, row) => (row.hits > first.hits ? row : first));
  return {
    ...{ name, token, fault, contact },
    added: listed.has(name.toLowerCase()),
    certainty: certaintyOf(crawler, samples + counted),
    user_agent: most.user_agent,
    user_agents: new Set(rows.map(({ user_agent }) => user_agent)).size,
    samples,
    counted,
    estimated: rounded(part.exact + part.estimated),
    low: rounded(low),
    high: rounded(high),
    robots: sum(rows.map(({ robots }) => robots)),
    networks: [...new Set(rows.flatMap(({ networks }) => networks))].sort((a, b) => a - b).slice(0, 20),
    first_seen: moment(Math.min(...rows.map(({ first_at }) => first_at))),
    last_seen: moment(Math.max(...rows.map(({ last_at }) => last_at))),
  };
}

function certaintyOf({ isNamed, contact }: CrawlerName, seen: number): Item['certainty'] {
  if (isNamed && contact !== '' && seen >= SEEN_AGAIN) return 'likely';
  return isNamed || contact !== '' ? 'possible' : 'unlikely';
}
