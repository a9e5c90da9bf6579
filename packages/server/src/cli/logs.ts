/** `ghostlight logs`: visits as they arrive, in a terminal. */
import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { type CommandContext, CommandError, type Group, PROPERTY, UsageError } from './command.ts';
import { cut, plainText, roomOf } from './output.ts';

/** What Live answers, as far as a line shows it. */
export interface LiveItem {
  readonly id: string;
  readonly received_at: string;
  readonly at: string;
  readonly class: string;
  readonly bot_name: string;
  readonly verified: boolean | null;
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly status: number;
  readonly country: string;
  readonly referrer_engine: string;
  readonly event_name: string;
}

const PATH = '/api/v1/properties/{id}/live';
const EVERY_MS = 1_000;
/** Live answers again with what arrived in the ten seconds before. */
const MAX_REMEMBERED = 20_000;
const DEFAULT_LINES = 10;
const MAX_LINES = 500;

export const logs: Group = {
  name: 'logs',
  summary: 'watch visits as they arrive',
  default: 'tail',
  subcommands: [
    {
      name: 'tail',
      summary: 'print the newest visits, and then each one as it arrives',
      about: 'Runs until Ctrl+C. With --once or --json it prints the newest visits and ends.',
      arguments: [{ ...PROPERTY, optional: true, about: `${PROPERTY.about}; optional if there is only one` }],
      options: [
        {
          name: 'lines',
          value: 'N',
          about: `how many of the newest, at most ${MAX_LINES}`,
          default: `${DEFAULT_LINES}`,
          number: true,
        },
        { name: 'once', about: 'print them and end' },
        { name: 'class', value: 'CLASS', about: 'only with this class, such as ai_bot or ai_referral' },
        { name: 'bot', value: 'BOT', about: 'only with this bot, such as GPTBot' },
        {
          name: 'verified',
          value: 'VERDICT',
          about: 'only with this verdict',
          choices: ['true', 'false', 'unknown'],
        },
      ],
      json: `GET ${PATH}`,
      examples: [
        { does: 'Everything, as it arrives', command: 'ghostlight logs tail' },
        {
          does: 'Visits that pretend to be a bot',
          command: 'ghostlight logs tail $PROPERTY --verified false',
        },
        {
          does: 'Which pages GPTBot read last',
          command: "ghostlight logs tail $PROPERTY --bot GPTBot --lines 100 --json | jq -r '.items[].path'",
        },
      ],
      run: tail,
    },
  ],
};

async function tail(context: CommandContext) {
  const { service, option, number, flag, print } = context;
  const lines = number('lines') ?? DEFAULT_LINES;
  if (!Number.isInteger(lines) || lines < 1 || lines > MAX_LINES)
    throw new UsageError(`--lines is a whole number from 1 to ${MAX_LINES}, not "${lines}".`);
  const path = PATH.replace('{id}', encodeURIComponent(await propertyOf(context)));
  const filter = Object.fromEntries(
    ['class', 'bot', 'verified'].flatMap((name) => {
      const value = option(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const ask = async (limit: number, after?: string) =>
    (await service.call(
      'GET',
      `${path}?${new URLSearchParams({ ...filter, limit: String(limit), ...(after === undefined ? {} : { after }) })}`,
    )) as { items: readonly LiveItem[] };
  const data = await ask(lines);
  const newest = data.items.toReversed();
  if (flag('once') || flag('json')) return { data, text: newest.map((item) => lineOf(item)) };
  for (const item of newest) print(lineOf(item));
  const seen = new Set(newest.map(({ id }) => id));
  let after = newest.at(-1)?.received_at;
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  for (;;) {
    try {
      await sleep(EVERY_MS, undefined, { signal: stop.signal });
    } catch {
      return { exitCode: 0 };
    }
    const { items } = await ask(MAX_LINES, after);
    const fresh = items.toReversed().filter(({ id }) => !seen.has(id));
    if (fresh.length === MAX_LINES)
      print(`… more than ${MAX_LINES} visits arrived at once; the oldest of them are not shown.`);
    for (const item of fresh) {
      print(lineOf(item));
      seen.add(item.id);
      after = item.received_at;
    }
    // The oldest first: a set keeps the order in which its members came.
    for (const id of seen) {
      if (seen.size <= MAX_REMEMBERED) break;
      seen.delete(id);
    }
  }
}

/** The one that was named, or the only one there is. */
async function propertyOf({ service, argument }: CommandContext): Promise<string> {
  const named = argument('PROPERTY');
  if (named !== '') return named;
  const { items } = (await service.call('GET', '/api/v1/properties')) as { items: readonly { id: string }[] };
  const [only, another] = items;
  if (only === undefined)
    throw new CommandError('There is no property yet. Create one: ghostlight properties create --help');
  if (another !== undefined)
    throw new UsageError('There are several properties: name one. "ghostlight properties list" shows them.');
  return only.id;
}

const VERDICTS = new Map<boolean | null, readonly [text: string, colour: 'green' | 'red' | 'dim']>([
  [true, ['verified', 'green']],
  [false, ['spoofed', 'red']],
  [null, ['unknown', 'dim']],
]);

/** Of the request, however narrow the terminal is; columns. */
const MIN_REQUEST = 16;
/** Of what is before and after the request; columns. */
const BESIDE_REQUEST = '12:00:01  12345678901234567890  verified  200  '.length + '  US'.length;

/**
 * `12:00:01  GPTBot  verified  200  GET shop.example/a  US`; the time is in UTC.
 * @param room how wide a line may be; the request is cut so that it fits
 */
export function lineOf(item: LiveItem, room = roomOf(process.stdout)): string {
  const isBot = item.class === 'ai_bot' || item.class === 'search_engine';
  const [verdict, colour] = (isBot ? VERDICTS.get(item.verified) : undefined) ?? ['', 'dim'];
  const who =
    item.bot_name ||
    (item.referrer_engine === '' ? item.event_name || item.class : `from ${item.referrer_engine}`);
  return [
    item.at.slice(11, 19),
    cut(plainText(who), 20).padEnd(20),
    styleText(colour, verdict.padEnd(8)),
    item.status === 0 ? '–  ' : String(item.status),
    cut(
      plainText(`${item.method} ${item.host}${item.path}`.trim()),
      Math.max(MIN_REQUEST, room - BESIDE_REQUEST),
    ),
    item.country,
  ]
    .join('  ')
    .trimEnd();
}
