/** `ghostlight deliveries`: what became of forwarded conversions, and sending dead ones again. */
import { counted } from '../common/index.ts';
import { runWork, type Work } from './client.ts';
import type { Command, CommandContext } from './command.ts';
import { type Row, table } from './output.ts';

export const deliveries: Command = {
  name: 'deliveries',
  usage:
    'list PROPERTY [--status STATUS] [--platform PLATFORM] [--limit N] | replay PROPERTY DELIVERY_ID [--confirm-duplicate] | replay PROPERTY --dead [--platform PLATFORM] [--destination ID] [--reason REASON]',
  summary: 'list deliveries to ad platforms, and send dead ones again',
  flags: ['confirm-duplicate', 'dead'],
  run: async (context) => await runWork(deliveries, workOf(context), context.config),
};

const COLUMNS = {
  ...{ id: 'ID', created_at: 'CREATED', conversion_id: 'CONVERSION', topic: 'TOPIC', platform: 'PLATFORM' },
  ...{ status: 'STATUS', reason: 'REASON', attempts: 'ATTEMPTS' },
};

function workOf({ words, options, print }: CommandContext): Work {
  const [verb, property, id] = words;
  if (property === undefined) return null;
  const path = `/api/v1/properties/${encodeURIComponent(property)}/deliveries`;
  const given = (...names: readonly string[]): Record<string, string> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = options.get(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  if (verb === 'list')
    return async (client) => {
      const query = new URLSearchParams(given('status', 'platform', 'destination', 'limit'));
      const { items } = (await client.call('GET', `${path}?${query}`)) as { items: Row[] };
      print(items.length === 0 ? 'No deliveries.' : table(items, COLUMNS));
    };
  if (verb === 'replay' && id !== undefined)
    return async (client) => {
      const body = { confirm_duplicate: options.has('confirm-duplicate') };
      await client.call('POST', `${path}/${encodeURIComponent(id)}/replay`, body);
      print(`${id} waits for its turn.`);
    };
  if (verb === 'replay' && options.has('dead'))
    return async (client) => {
      const filter = { status: 'dead', ...given('platform', 'destination', 'reason') };
      const { replayed, expired, remaining } = (await client.call('POST', `${path}/replay`, filter)) as {
        replayed: number;
        expired: number;
        remaining: number;
      };
      print(`${counted(replayed, ['delivery waits for its', 'deliveries wait for their'])} turn.`);
      if (expired > 0)
        print(
          `${counted(expired, ['stays dead: the personal data that it needs', 'stay dead: the personal data that they need'])} is deleted.`,
        );
      if (remaining > 0) print(`${counted(remaining, ['is', 'are'])} left; run it again.`);
    };
  return null;
}
