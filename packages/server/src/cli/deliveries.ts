/** `ghostlight deliveries`: what became of forwarded conversions, and sending dead ones again. */
import { counted } from '../common/index.ts';
import {
  type Answer,
  type CommandContext,
  type Group,
  type Option,
  PROPERTY,
  UsageError,
} from './command.ts';
import { type Row, table } from './output.ts';

const PATH = '/api/v1/properties/{id}/deliveries';
const PLATFORM: Option = {
  name: 'platform',
  value: 'PLATFORM',
  about: 'only with this platform, such as meta',
};
const DESTINATION: Option = { name: 'destination', value: 'ID', about: 'only with this destination' };

export const deliveries: Group = {
  name: 'deliveries',
  summary: 'list deliveries to ad platforms, and send dead ones again',
  subcommands: [
    {
      name: 'list',
      summary: 'list the newest deliveries of a property',
      arguments: [PROPERTY],
      options: [
        {
          name: 'status',
          value: 'STATUS',
          about: 'such as delivered, dead, skipped or unknown',
        },
        PLATFORM,
        DESTINATION,
        { name: 'limit', value: 'N', about: 'how many', number: true },
      ],
      json: `GET ${PATH}`,
      examples: [
        { does: 'The newest', command: 'ghostlight deliveries list $PROPERTY' },
        {
          does: 'What Meta has refused',
          command: 'ghostlight deliveries list $PROPERTY --status dead --platform meta',
        },
      ],
      run: list,
    },
    {
      name: 'replay',
      summary: 'send a delivery again, or all dead ones',
      about: 'Name a delivery, or pass --dead for all dead ones that the other options select.',
      arguments: [
        PROPERTY,
        { name: 'DELIVERY_ID', about: '"ghostlight deliveries list" shows it', optional: true },
      ],
      options: [
        {
          name: 'confirm-duplicate',
          about: 'send a delivery whose outcome is unknown, although it may count twice',
        },
        { name: 'dead', about: 'all dead ones' },
        PLATFORM,
        DESTINATION,
        { name: 'reason', value: 'REASON', about: 'only deliveries with this reason, as the list shows it' },
      ],
      json: `POST ${PATH}/replay`,
      examples: [
        { does: 'One', command: 'ghostlight deliveries replay $PROPERTY $DELIVERY' },
        {
          does: 'All that one platform has refused',
          command: 'ghostlight deliveries replay $PROPERTY --dead --platform meta',
        },
      ],
      async run(context) {
        if (context.argument('DELIVERY_ID') !== '') return await replayOne(context);
        if (context.flag('dead')) return await replayDead(context);
        throw new UsageError('Name a delivery, or pass --dead for all dead ones.');
      },
    },
  ],
};

const COLUMNS = {
  ...{ id: 'ID', created_at: 'CREATED', conversion_id: 'CONVERSION', topic: 'TOPIC', platform: 'PLATFORM' },
  ...{ status: 'STATUS', reason: 'REASON', attempts: 'ATTEMPTS' },
};

const all = ({ argument }: CommandContext): string =>
  `/api/v1/properties/${encodeURIComponent(argument('PROPERTY'))}/deliveries`;

/** Those of the options that are there. */
const given = ({ option }: CommandContext, ...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = option(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

async function list(context: CommandContext): Promise<Answer> {
  const query = new URLSearchParams(given(context, 'status', 'platform', 'destination', 'limit'));
  const data = (await context.service.call('GET', `${all(context)}?${query}`)) as { items: Row[] };
  return { data, text: data.items.length === 0 ? 'No deliveries.' : table(data.items, COLUMNS) };
}

async function replayOne(context: CommandContext): Promise<Answer> {
  const id = context.argument('DELIVERY_ID');
  const data = await context.service.call('POST', `${all(context)}/${encodeURIComponent(id)}/replay`, {
    confirm_duplicate: context.flag('confirm-duplicate'),
  });
  return { data, text: `${id} is pending.` };
}

async function replayDead(context: CommandContext): Promise<Answer> {
  const filter = { status: 'dead', ...given(context, 'platform', 'destination', 'reason') };
  const data = (await context.service.call('POST', `${all(context)}/replay`, filter)) as {
    replayed: number;
    expired: number;
    remaining: number;
  };
  const { replayed, expired, remaining } = data;
  return {
    data,
    text: [
      `${counted(replayed, ['delivery waits for its', 'deliveries wait for their'])} turn.`,
      ...(expired === 0
        ? []
        : [
            `${counted(expired, ['stays dead: the personal data that it needs', 'stay dead: the personal data that they need'])} is deleted.`,
          ]),
      ...(remaining === 0 ? [] : [`${counted(remaining, ['is', 'are'])} left; run it again.`]),
    ],
  };
}
