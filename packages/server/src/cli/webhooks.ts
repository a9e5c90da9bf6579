/** `ghostlight webhooks`: whether a property receives conversions, and the keys for it. */
import { type ApiClient, CommandError, connect } from './client.ts';
import type { Command, CommandContext } from './command.ts';
import { type Row, table } from './output.ts';

interface Settings {
  readonly enabled: boolean;
  readonly endpoint: string;
  readonly lookback_days: number;
}

export const webhooks: Command = {
  name: 'webhooks',
  usage:
    'show|enable|disable PROPERTY [--lookback DAYS] | keys list PROPERTY | keys issue PROPERTY --name NAME [--rate-limit PER_MINUTE] | keys limit PROPERTY KEY_ID PER_MINUTE | keys revoke PROPERTY KEY_ID',
  summary: 'receive conversions, or not, and issue keys for those who send them',
  async run(context) {
    const work = context.words[0] === 'keys' ? keysWork(context) : settingsWork(context);
    if (work === null) throw new CommandError(`Usage: ghostlight webhooks ${webhooks.usage}`);
    const client = await connect(context.config);
    try {
      await work(client);
    } finally {
      await client.close();
    }
  },
};

type Work = ((client: ApiClient) => Promise<void>) | null;

function settingsWork({ words, options, print }: CommandContext): Work {
  const [verb, property] = words;
  if (property === undefined || (verb !== 'show' && verb !== 'enable' && verb !== 'disable')) return null;
  const path = `/api/v1/properties/${encodeURIComponent(property)}/webhooks`;
  const lookback = options.get('lookback');
  const change = {
    ...(verb === 'show' ? {} : { enabled: verb === 'enable' }),
    ...(lookback === undefined ? {} : { lookback_days: Number(lookback) }),
  };
  return async (client) => {
    const asks = Object.keys(change).length === 0;
    const settings = (await client.call(asks ? 'GET' : 'PUT', path, asks ? undefined : change)) as Settings;
    print(
      settings.enabled
        ? `Conversions are received at ${settings.endpoint}/<topic>, and attributed to clicks of the last ${settings.lookback_days} days.`
        : 'Conversions are not received.',
    );
  };
}

function keysWork({ words, options, print }: CommandContext): Work {
  const [, verb, property, keyId, limit] = words;
  if (property === undefined) return null;
  const path = `/api/v1/properties/${encodeURIComponent(property)}/webhook-keys`;
  const one = `${path}/${encodeURIComponent(keyId ?? '')}`;
  if (verb === 'list')
    return async (client) => {
      const { items } = (await client.call('GET', path)) as { items: Row[] };
      const columns = {
        id: 'ID',
        prefix: 'PREFIX',
        name: 'NAME',
        rate_limit: 'PER MINUTE',
        last_used_at: 'LAST USED',
        revoked_at: 'REVOKED',
      };
      print(items.length === 0 ? 'No webhook keys yet.' : table(items, columns));
    };
  if (verb === 'issue')
    return async (client) => {
      const rate = options.get('rate-limit');
      const issued = (await client.call('POST', path, {
        name: options.get('name'),
        ...(rate === undefined ? {} : { rate_limit: Number(rate) }),
      })) as { key: string };
      print(issued.key);
      print('Store it now: it is not shown again.');
    };
  if (verb === 'limit' && keyId !== undefined && limit !== undefined)
    return async (client) => {
      const { rate_limit } = (await client.call('PATCH', one, { rate_limit: Number(limit) })) as {
        rate_limit: number;
      };
      print(`${keyId} may make ${rate_limit} requests a minute.`);
    };
  if (verb === 'revoke' && keyId !== undefined)
    return async (client) => {
      await client.call('DELETE', one);
      print(`Revoked ${keyId}.`);
    };
  return null;
}
