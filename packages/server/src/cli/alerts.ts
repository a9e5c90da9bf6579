/** `ghostlight alerts`: unusual activity of a property, what is watched for, and who is notified. */
import { channels, testChannel } from './alert-channels.ts';
import { type Answer, type CommandContext, type Group, PROPERTY, UsageError } from './command.ts';
import { type Row, table } from './output.ts';

interface Alert {
  readonly kind: string;
  readonly state: string;
  readonly at: string;
  readonly title: string;
  readonly sent: readonly { readonly ok: boolean | null }[];
}

interface Rules {
  readonly repeat_hours: number;
  readonly rules: readonly {
    readonly kind: string;
    readonly enabled: boolean;
    readonly threshold: number;
    readonly default: number;
    readonly unit: string;
  }[];
}

const PATH = '/api/v1/properties/{id}/alerts';

export const alerts: Group = {
  name: 'alerts',
  summary: 'list unusual activity, change what is watched for, add and test who is notified',
  subcommands: [
    {
      name: 'list',
      summary: 'list the alerts of a property, newest first',
      arguments: [PROPERTY],
      options: [
        { name: 'state', value: 'STATE', about: 'only with this state', choices: ['open', 'resolved'] },
        { name: 'kind', value: 'KIND', about: 'only with this kind, such as spike' },
        { name: 'limit', value: 'N', about: 'how many', number: true },
      ],
      json: `GET ${PATH}`,
      examples: [{ does: 'What is open', command: 'ghostlight alerts list $PROPERTY --state open' }],
      run: list,
    },
    {
      name: 'rules',
      summary: 'show the rules and their thresholds',
      arguments: [PROPERTY],
      options: [
        {
          name: 'repeat',
          value: 'HOURS',
          about: 'change after how many hours an alert may repeat',
          number: true,
        },
      ],
      json: `GET ${PATH}/rules`,
      examples: [
        { does: 'Every rule', command: 'ghostlight alerts rules $PROPERTY' },
        { does: 'At most every two days', command: 'ghostlight alerts rules $PROPERTY --repeat 48' },
      ],
      async run(context) {
        const repeat = context.number('repeat');
        return await rules(context, repeat === undefined ? null : { repeat_hours: repeat });
      },
    },
    {
      name: 'rule',
      summary: 'turn a rule on or off, or change its threshold',
      arguments: [
        PROPERTY,
        { name: 'KIND', about: 'of the rule; "ghostlight alerts rules" shows it' },
        { name: 'SETTING', about: 'on, off, default, or a threshold' },
      ],
      json: `PUT ${PATH}/rules`,
      examples: [
        { does: 'Five times the baseline', command: 'ghostlight alerts rule $PROPERTY spike 5' },
        { does: 'Not at all', command: 'ghostlight alerts rule $PROPERTY spike off' },
      ],
      async run(context) {
        const change = { kind: context.argument('KIND'), ...settingOf(context.argument('SETTING')) };
        return await rules(context, { rules: [change] });
      },
    },
    channels,
    testChannel,
    {
      name: 'look',
      summary: 'evaluate every property now, as every five minutes',
      json: 'POST /api/v1/alerts/look',
      examples: [{ does: 'Now', command: 'ghostlight alerts look' }],
      async run({ service }) {
        const data = (await service.call('POST', '/api/v1/alerts/look')) as { ran: boolean };
        return { data, text: data.ran ? 'Every property was evaluated.' : 'Another node is evaluating.' };
      },
    },
  ],
};

const pathOf = ({ argument }: CommandContext): string =>
  `/api/v1/properties/${encodeURIComponent(argument('PROPERTY'))}/alerts`;

async function list(context: CommandContext): Promise<Answer> {
  const query = new URLSearchParams();
  for (const name of ['state', 'kind', 'limit']) {
    const value = context.option(name);
    if (value !== undefined) query.set(name, value);
  }
  const data = (await context.service.call('GET', `${pathOf(context)}?${query}`)) as {
    items: Alert[];
    open: number;
  };
  if (data.items.length === 0) return { data, text: 'No alerts.' };
  const columns = { at: 'SINCE', state: 'STATE', kind: 'KIND', told: 'TOLD', title: 'ALERT' };
  const rows = data.items.map(({ at, state, kind, title, sent }) => ({
    ...{ at, state, kind, title },
    told: sent.length === 0 ? null : `${sent.filter(({ ok }) => ok === true).length} of ${sent.length}`,
  }));
  return { data, text: [table(rows, columns), `${data.open} open.`] };
}

/** @param change null: they are shown as they are */
async function rules(context: CommandContext, change: object | null): Promise<Answer> {
  const path = `${pathOf(context)}/rules`;
  const data = (await (change === null
    ? context.service.call('GET', path)
    : context.service.call('PUT', path, change))) as Rules;
  const columns = { kind: 'KIND', on: 'ON', threshold: 'THRESHOLD', unit: '', default: 'DEFAULT' };
  const rows = data.rules.map(({ kind, enabled, threshold, unit, default: standard }): Row => {
    return { kind, on: enabled ? 'yes' : 'no', threshold, unit, default: standard };
  });
  return {
    data,
    text: [
      table(rows, columns),
      `Each alert sends one message; if it returns, the next one after ${data.repeat_hours} hours at the earliest.`,
    ],
  };
}

/** @throws UsageError */
function settingOf(word: string): { enabled: boolean } | { threshold: number | null } {
  if (word === 'on' || word === 'off') return { enabled: word === 'on' };
  if (word === 'default') return { threshold: null };
  const threshold = Number(word);
  if (!Number.isFinite(threshold))
    throw new UsageError(`SETTING is on, off, default or a number, not "${word}".`);
  return { threshold };
}
