/** The commands below `ghostlight alerts channels`: who is notified is listed, added, turned off and on, removed, tested. */
import {
  type Answer,
  type Argument,
  type CommandContext,
  CommandError,
  type Group,
  type Leaf,
  PROPERTY,
} from './command.ts';
import { table } from './output.ts';
import { KEY_FILE, keepOrShow, secretWord } from './secret-file.ts';

interface Channel {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly target: string | null;
  readonly enabled: boolean;
  readonly everywhere: boolean;
  readonly last: { readonly at: string; readonly ok: boolean | null; readonly error: string | null } | null;
}

const PATH = '/api/v1/properties/{id}/alerts/channels';
const CHANNEL: Argument = { name: 'CHANNEL_ID', about: '"ghostlight alerts channels list" shows it' };

const all = ({ argument }: CommandContext): string =>
  `/api/v1/properties/${encodeURIComponent(argument('PROPERTY'))}/alerts/channels`;
const one = (context: CommandContext): string =>
  `${all(context)}/${encodeURIComponent(context.argument('CHANNEL_ID'))}`;

/** It stands below `alerts` and below `alerts channels`. */
const testUnder = (group: string): Leaf => ({
  name: 'test',
  summary: 'send a test alert to a channel; fails if the channel doesn’t accept it',
  arguments: [PROPERTY, CHANNEL],
  json: `POST ${PATH}/{channel_id}/test`,
  examples: [
    { does: 'In a script', command: `ghostlight ${group} test $PROPERTY $CHANNEL || echo "not taken"` },
  ],
  async run(context) {
    const data = (await context.service.call('POST', `${one(context)}/test`)) as {
      ok: boolean;
      error: string | null;
    };
    if (data.ok) return { data, text: 'The channel accepted the test.' };
    // Scripts ask by the exit code whether the channel works.
    return { data, failed: `The channel did not accept the test: ${data.error ?? 'no reason was given'}.` };
  },
});

export const testChannel = testUnder('alerts');

const turn = (name: 'on' | 'off', summary: string): Leaf => ({
  name,
  summary,
  arguments: [PROPERTY, CHANNEL],
  json: `PATCH ${PATH}/{channel_id}`,
  examples: [{ does: 'One channel', command: `ghostlight alerts channels ${name} $PROPERTY $CHANNEL` }],
  async run(context) {
    const data = (await context.service.call('PATCH', one(context), { enabled: name === 'on' })) as Channel;
    return { data, text: `${data.name} is ${data.enabled ? 'on' : 'off'}.` };
  },
});

export const channels: Group = {
  name: 'channels',
  summary: 'list, add, test, turn off or remove the channels that alerts are sent to',
  subcommands: [
    {
      name: 'list',
      summary: 'list the channels of a property',
      arguments: [PROPERTY],
      json: `GET ${PATH}`,
      examples: [{ does: 'Of one property', command: 'ghostlight alerts channels list $PROPERTY' }],
      run: list,
    },
    {
      name: 'add',
      summary: 'add a channel and print its ID, and a webhook’s signing secret',
      arguments: [
        PROPERTY,
        { name: 'TYPE', about: 'how it is sent', choices: ['email', 'slack', 'webhook'] },
        { name: 'TARGET', about: 'the email address or URL; "-" reads it from standard input' },
      ],
      options: [
        { name: 'name', value: 'NAME', about: 'display name', required: true },
        { name: 'everywhere', about: 'for every property of the organization' },
        KEY_FILE,
      ],
      json: `POST ${PATH}`,
      examples: [
        {
          does: 'An email address',
          command: 'ghostlight alerts channels add $PROPERTY email ops@shop.example --name On-call',
        },
        {
          does: 'A Slack address, which is a secret, from a file: the shell’s history does not have it',
          command: 'ghostlight alerts channels add $PROPERTY slack - --name Slack < slack-url',
        },
      ],
      run: add,
    },
    turn('on', 'send alerts to a channel again'),
    turn('off', 'send no alerts to a channel for now'),
    testUnder('alerts channels'),
    {
      name: 'remove',
      summary: 'remove a channel',
      arguments: [PROPERTY, CHANNEL],
      json: '{"id", "removed"}',
      examples: [{ does: 'One channel', command: 'ghostlight alerts channels remove $PROPERTY $CHANNEL' }],
      async run(context) {
        const id = context.argument('CHANNEL_ID');
        await context.service.call('DELETE', one(context));
        return { data: { id, removed: true }, text: `Removed ${id}.` };
      },
    },
  ],
};

async function list(context: CommandContext): Promise<Answer> {
  const data = (await context.service.call('GET', all(context))) as { items: Channel[] };
  const columns = {
    id: 'ID',
    type: 'TYPE',
    name: 'NAME',
    target: 'TARGET',
    state: 'STATE',
    of: 'OF',
    last: 'LAST ALERT',
  };
  const rows = data.items.map(({ id, type, name, target, enabled, everywhere, last }) => ({
    ...{ id, type, name, target: target ?? 'can’t be decrypted; enter it again' },
    state: enabled ? 'on' : 'off',
    of: everywhere ? 'all properties' : 'this property',
    last: lastOf(last),
  }));
  return {
    data,
    text: rows.length === 0 ? 'No channels: alerts appear in the dashboard only.' : table(rows, columns),
  };
}

/** `2026-11-24T01:44:00.000Z sent`, or the error. */
function lastOf(last: Channel['last']): string {
  if (last === null) return 'none';
  const outcome = last.ok === true ? 'sent' : last.ok === false ? 'not sent' : 'to be sent again';
  return `${last.at} ${outcome}${last.error === null ? '' : ` (${last.error})`}`;
}

async function add(context: CommandContext): Promise<Answer> {
  const { argument, option, flag, service } = context;
  const target = await secretWord(argument('TARGET'));
  const create = async () =>
    (await service.call('POST', all(context), {
      ...{ type: argument('TYPE'), target, name: option('name'), everywhere: flag('everywhere') },
    })) as { id: string; secret: string | null };
  if (argument('TYPE') !== 'webhook') {
    if (option('key-file') !== undefined)
      throw new CommandError('Only a webhook has a secret that --key-file could hold.', 2);
    const data = await create();
    return { data, text: data.id };
  }
  return await keepOrShow(context, async () => {
    const data = await create();
    const advice = 'The second line signs what is sent. Store it now: it is not shown again.';
    return { data, secret: 'secret', before: data.id, advice };
  });
}
