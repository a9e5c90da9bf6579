/** `ghostlight destinations`: where a property's conversions are forwarded to. They are connected in the dashboard, which has the forms. */
import { counted } from '../common/index.ts';
import { runWork, type Work } from './client.ts';
import type { Command, CommandContext } from './command.ts';
import { table } from './output.ts';

interface Destination {
  readonly id: string;
  readonly platform: string;
  readonly name: string;
  readonly state: string;
  readonly alarm: { readonly message: string } | null;
  readonly health: { readonly waiting: number; readonly last_delivered_at: string | null };
}

interface TestSend {
  readonly mode: string;
  readonly sent: boolean;
  readonly skip: { readonly message: string } | null;
  readonly request: { readonly method: string; readonly url: string; readonly body: string | null } | null;
  readonly response: { readonly status: number; readonly body: string } | null;
  readonly verdict: { readonly kind: string; readonly message: string | null } | null;
  readonly explanation: string;
}

export const destinations: Command = {
  name: 'destinations',
  usage:
    'list PROPERTY | test PROPERTY DESTINATION_ID [--topic TOPIC] [--code CODE] [--live] | pause PROPERTY DESTINATION_ID | resume PROPERTY DESTINATION_ID',
  summary: 'list, test, pause or resume the ad platforms that conversions are forwarded to',
  flags: ['live'],
  run: async (context) => await runWork(destinations, workOf(context), context.config),
};

function workOf({ words, options, print }: CommandContext): Work {
  const [verb, property, id] = words;
  if (property === undefined) return null;
  const path = `/api/v1/properties/${encodeURIComponent(property)}/destinations`;
  if (verb === 'list')
    return async (client) => {
      const { items } = (await client.call('GET', path)) as { items: Destination[] };
      const columns = {
        ...{ id: 'ID', platform: 'PLATFORM', name: 'NAME', state: 'STATE', waiting: 'WAITING' },
        last: 'LAST DELIVERED',
      };
      const rows = items.map(({ alarm: _alarm, health, ...row }) => ({
        ...{ id: row.id, platform: row.platform, name: row.name, state: row.state },
        ...{ waiting: health.waiting, last: health.last_delivered_at },
      }));
      print(items.length === 0 ? 'No destinations yet.' : table(rows, columns));
      for (const { name, alarm } of items) if (alarm !== null) print(`${name}: ${alarm.message}`);
    };
  if (id === undefined) return null;
  const one = `${path}/${encodeURIComponent(id)}`;
  if (verb === 'pause' || verb === 'resume')
    return async (client) => {
      // Whoever resumes has mended what the alarm was about.
      const changes = verb === 'pause' ? { paused: true } : { paused: false, clear_alarm: true };
      const { name, state, health } = (await client.call('PATCH', one, changes)) as Destination;
      print(`${name} is ${state}; ${counted(health.waiting, ['delivery waits', 'deliveries wait'])}.`);
    };
  if (verb === 'test')
    return async (client) => {
      const code = options.get('code');
      const asked = {
        topic: options.get('topic') ?? 'purchase',
        live: options.has('live'),
        ...(code === undefined ? {} : { code }),
      };
      for (const line of report((await client.call('POST', `${one}/test`, asked)) as TestSend)) print(line);
    };
  return null;
}

function report({ sent, skip, request, response, verdict, explanation }: TestSend): string[] {
  return [
    ...(skip === null ? [] : [`Would not be sent: ${skip.message}`]),
    ...(request === null
      ? []
      : [`${sent ? 'Sent' : 'Would send'}: ${request.method} ${request.url}`, request.body ?? '']),
    ...(response === null ? [] : [`Answered ${response.status}: ${response.body}`]),
    ...(verdict === null
      ? []
      : [`Verdict: ${verdict.kind}${verdict.message === null ? '' : ` (${verdict.message})`}`]),
    explanation,
  ];
}
