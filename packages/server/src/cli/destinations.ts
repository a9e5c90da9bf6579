/** `ghostlight destinations`: where a property's conversions are forwarded to. They are connected in the dashboard, which has the forms. */
import { counted } from '../common/index.ts';
import { type Answer, type Argument, type CommandContext, type Group, PROPERTY } from './command.ts';
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

const PATH = '/api/v1/properties/{id}/destinations';
const DESTINATION: Argument = {
  name: 'DESTINATION_ID',
  about: '"ghostlight destinations list" shows it',
};

export const destinations: Group = {
  name: 'destinations',
  summary: 'list, test, pause or resume the ad platforms that conversions are forwarded to',
  subcommands: [
    {
      name: 'list',
      summary: 'list the destinations of a property, with their problems',
      arguments: [PROPERTY],
      json: `GET ${PATH}`,
      examples: [{ does: 'Of one property', command: 'ghostlight destinations list $PROPERTY' }],
      run: list,
    },
    {
      name: 'test',
      summary: 'send a test event in the platform’s test mode, and show its answer',
      about: 'Where the platform has no test mode, the request is shown and nothing is sent.',
      arguments: [PROPERTY, DESTINATION],
      options: [
        { name: 'topic', value: 'TOPIC', about: 'topic of the sample conversion', default: 'purchase' },
        {
          name: 'code',
          value: 'CODE',
          about: 'test code from the platform’s own test view, where it has one',
        },
        { name: 'live', about: 'send a real event instead, which counts in the platform’s reports' },
      ],
      json: `POST ${PATH}/{destination_id}/test`,
      examples: [
        { does: 'A purchase, as a test', command: 'ghostlight destinations test $PROPERTY $DESTINATION' },
        {
          does: 'A lead, with the code of the platform’s test view',
          command: 'ghostlight destinations test $PROPERTY $DESTINATION --topic lead --code TEST12345',
        },
      ],
      async run(context) {
        const code = context.option('code');
        const data = (await context.service.call('POST', `${one(context)}/test`, {
          topic: context.option('topic') ?? 'purchase',
          live: context.flag('live'),
          ...(code === undefined ? {} : { code }),
        })) as TestSend;
        return { data, text: report(data) };
      },
    },
    {
      name: 'pause',
      summary: 'pause a destination; deliveries wait',
      arguments: [PROPERTY, DESTINATION],
      json: `PATCH ${PATH}/{destination_id}`,
      examples: [
        { does: 'One destination', command: 'ghostlight destinations pause $PROPERTY $DESTINATION' },
      ],
      run: async (context) => await change(context, { paused: true }),
    },
    {
      name: 'resume',
      summary: 'resume a destination, clear its alarm, and send waiting deliveries first',
      arguments: [PROPERTY, DESTINATION],
      json: `PATCH ${PATH}/{destination_id}`,
      examples: [
        {
          does: 'After its settings were corrected',
          command: 'ghostlight destinations resume $PROPERTY $DESTINATION',
        },
      ],
      // The reason of the alarm is dealt with by then.
      run: async (context) => await change(context, { paused: false, clear_alarm: true }),
    },
  ],
};

const all = ({ argument }: CommandContext): string =>
  `/api/v1/properties/${encodeURIComponent(argument('PROPERTY'))}/destinations`;
const one = (context: CommandContext): string =>
  `${all(context)}/${encodeURIComponent(context.argument('DESTINATION_ID'))}`;

async function list(context: CommandContext): Promise<Answer> {
  const data = (await context.service.call('GET', all(context))) as { items: Destination[] };
  const columns = {
    ...{ id: 'ID', platform: 'PLATFORM', name: 'NAME', state: 'STATE', waiting: 'WAITING' },
    last: 'LAST DELIVERED',
  };
  const rows = data.items.map(({ id, platform, name, state, health }) => ({
    ...{ id, platform, name, state, waiting: health.waiting, last: health.last_delivered_at },
  }));
  const alarms = data.items.flatMap(({ name, alarm }) =>
    alarm === null ? [] : [`${name}: ${alarm.message}`],
  );
  return { data, text: [rows.length === 0 ? 'No destinations yet.' : table(rows, columns), ...alarms] };
}

async function change(context: CommandContext, changes: Record<string, boolean>): Promise<Answer> {
  const data = (await context.service.call('PATCH', one(context), changes)) as Destination;
  const waiting = counted(data.health.waiting, ['delivery waits', 'deliveries wait']);
  return { data, text: `${data.name} is ${data.state}; ${waiting}.` };
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
    ...(explanation === '' ? [] : [explanation]),
  ];
}
