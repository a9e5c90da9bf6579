/** `ghostlight alerts`: what is out of a property's usual, what is watched for, and who is told. */
import { channelsWork } from './alert-channels.ts';
import { runWork, type Work } from './client.ts';
import type { Command, CommandContext } from './command.ts';
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

export const alerts: Command = {
  name: 'alerts',
  usage:
    'list PROPERTY [--state open|resolved] [--kind KIND] [--limit N] | rules PROPERTY [--repeat HOURS] | rule PROPERTY KIND on|off|default|THRESHOLD | channels list PROPERTY | channels add PROPERTY email|slack|webhook TARGET --name NAME [--everywhere] | channels on|off|remove PROPERTY CHANNEL_ID | test PROPERTY CHANNEL_ID | look',
  summary: 'list what is out of the usual, change what is watched for, add and test who is told',
  flags: ['everywhere'],
  run: async (context) => await runWork(alerts, workOf(context), context.config),
};

function workOf(context: CommandContext): Work {
  const { words, print } = context;
  const [verb, property] = words;
  if (verb === 'look')
    return async (client) => {
      const { ran } = (await client.call('POST', '/api/v1/alerts/look')) as { ran: boolean };
      print(ran ? 'Every property was looked at.' : 'Another node is looking.');
    };
  if (verb === 'channels' || verb === 'test') return channelsWork(context);
  if (property === undefined) return null;
  const path = `/api/v1/properties/${encodeURIComponent(property)}/alerts`;
  if (verb === 'list') return listWork(path, context);
  if (verb === 'rules' || verb === 'rule') return rulesWork(`${path}/rules`, context);
  return null;
}

function listWork(path: string, { options, print }: CommandContext): Work {
  const query = new URLSearchParams();
  for (const name of ['state', 'kind', 'limit']) {
    const value = options.get(name);
    if (value !== undefined) query.set(name, value);
  }
  return async (client) => {
    const { items, open } = (await client.call('GET', `${path}?${query}`)) as {
      items: Alert[];
      open: number;
    };
    const columns = { at: 'SINCE', state: 'STATE', kind: 'KIND', told: 'TOLD', title: 'ALERT' };
    const rows = items.map(({ at, state, kind, title, sent }) => ({
      ...{ at, state, kind, title },
      told: sent.length === 0 ? null : `${sent.filter(({ ok }) => ok === true).length} of ${sent.length}`,
    }));
    print(items.length === 0 ? 'No alerts.' : table(rows, columns));
    if (items.length > 0) print(`${open} open.`);
  };
}

function rulesWork(path: string, { words: [verb, , kind, setting], options, print }: CommandContext): Work {
  const shown = ({ rules, repeat_hours: hours }: Rules): void => {
    const columns = { kind: 'KIND', on: 'ON', threshold: 'THRESHOLD', unit: '', default: 'DEFAULT' };
    const rows = rules.map(({ kind: name, enabled, threshold, unit, default: standard }): Row => {
      return { kind: name, on: enabled ? 'yes' : 'no', threshold, unit, default: standard };
    });
    print(table(rows, columns));
    print(`What holds is told once; what comes again, after ${hours} hours at the earliest.`);
  };
  if (verb === 'rules') {
    const repeat = options.get('repeat');
    return async (client) =>
      shown(
        (repeat === undefined
          ? await client.call('GET', path)
          : await client.call('PUT', path, { repeat_hours: Number(repeat) })) as Rules,
      );
  }
  if (kind === undefined || setting === undefined) return null;
  const change = settingOf(setting);
  if (change === null) return null;
  return async (client) => shown((await client.call('PUT', path, { rules: [{ kind, ...change }] })) as Rules);
}

function settingOf(word: string): { enabled: boolean } | { threshold: number | null } | null {
  if (word === 'on' || word === 'off') return { enabled: word === 'on' };
  if (word === 'default') return { threshold: null };
  const threshold = Number(word);
  return Number.isFinite(threshold) ? { threshold } : null;
}
