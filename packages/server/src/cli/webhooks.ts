/** `ghostlight webhooks`: whether a property receives conversions, and the keys for it. */
import {
  type Answer,
  type Argument,
  type CommandContext,
  type Group,
  type Leaf,
  PROPERTY,
  UsageError,
} from './command.ts';
import { type Row, table } from './output.ts';
import { KEY_FILE, keepOrShow } from './secret-file.ts';

interface Settings {
  readonly enabled: boolean;
  readonly endpoint: string;
  readonly lookback_days: number;
}

const PATH = '/api/v1/properties/{id}';
const KEY: Argument = { name: 'KEY_ID', about: '"ghostlight webhooks keys list" shows it' };

/** @param enabled null: left as it is */
const settingsCommand = (name: string, summary: string, enabled: boolean | null): Leaf => ({
  name,
  summary,
  arguments: [PROPERTY],
  options: [
    {
      name: 'lookback',
      value: 'DAYS',
      about: 'attribute conversions to clicks of the last DAYS days',
      number: true,
    },
  ],
  json: enabled === null ? `GET ${PATH}/webhooks` : `PUT ${PATH}/webhooks`,
  examples: [{ does: 'One property', command: `ghostlight webhooks ${name} $PROPERTY` }],
  run: async (context) => await settings(context, enabled),
});

export const webhooks: Group = {
  name: 'webhooks',
  summary: 'receive conversions, or not, and issue keys for those who send them',
  subcommands: [
    settingsCommand('show', 'show whether webhooks are enabled, and their endpoint', null),
    settingsCommand('enable', 'receive conversions', true),
    settingsCommand('disable', 'receive no conversions', false),
    {
      name: 'keys',
      summary: 'list, issue, limit or revoke the keys of those who send conversions',
      subcommands: [
        {
          name: 'list',
          summary: 'list the webhook keys, without their secrets',
          arguments: [PROPERTY],
          json: `GET ${PATH}/webhook-keys`,
          examples: [{ does: 'Of one property', command: 'ghostlight webhooks keys list $PROPERTY' }],
          async run(context) {
            const data = (await context.service.call('GET', keysOf(context))) as { items: Row[] };
            const columns = {
              id: 'ID',
              prefix: 'PREFIX',
              name: 'NAME',
              rate_limit: 'PER MINUTE',
              last_used_at: 'LAST USED',
              last_used_from: 'FROM',
              revoked_at: 'REVOKED',
            };
            return {
              data,
              text: data.items.length === 0 ? 'No webhook keys yet.' : table(data.items, columns),
            };
          },
        },
        {
          name: 'issue',
          summary: 'issue a webhook key; it is shown only once',
          arguments: [PROPERTY],
          options: [
            { name: 'name', value: 'NAME', about: 'who sends with it, such as --name Shop', required: true },
            { name: 'rate-limit', value: 'PER_MINUTE', about: 'requests a minute', number: true },
            KEY_FILE,
          ],
          json: `POST ${PATH}/webhook-keys`,
          examples: [
            {
              does: 'Into a variable: the key is the first line',
              command: 'WEBHOOK_KEY=$(ghostlight webhooks keys issue $PROPERTY --name Shop | sed -n 1p)',
            },
          ],
          run: async (context) =>
            await keepOrShow(context, async () => {
              const rate = context.number('rate-limit');
              const issued = (await context.service.call('POST', keysOf(context), {
                name: context.option('name'),
                ...(rate === undefined ? {} : { rate_limit: rate }),
              })) as { key: string };
              return { data: issued, secret: 'key' };
            }),
        },
        {
          name: 'limit',
          summary: 'change a key’s rate limit',
          arguments: [PROPERTY, KEY, { name: 'PER_MINUTE', about: 'requests a minute' }],
          json: `PATCH ${PATH}/webhook-keys/{key_id}`,
          examples: [
            { does: 'At most ten a second', command: 'ghostlight webhooks keys limit $PROPERTY $KEY_ID 600' },
          ],
          async run(context) {
            const perMinute = Number(context.argument('PER_MINUTE'));
            if (!Number.isFinite(perMinute)) throw new UsageError('PER_MINUTE is a number.');
            const changed = (await context.service.call('PATCH', keyOf(context), {
              rate_limit: perMinute,
            })) as { rate_limit: number };
            const text = `${context.argument('KEY_ID')} may make ${changed.rate_limit} requests a minute.`;
            return { data: changed, text };
          },
        },
        {
          name: 'revoke',
          summary: 'revoke a webhook key at once',
          arguments: [PROPERTY, KEY],
          json: '{"id", "revoked"}',
          examples: [{ does: 'One key', command: 'ghostlight webhooks keys revoke $PROPERTY $KEY_ID' }],
          async run(context) {
            const id = context.argument('KEY_ID');
            await context.service.call('DELETE', keyOf(context));
            return { data: { id, revoked: true }, text: `Revoked ${id}.` };
          },
        },
      ],
    },
  ],
};

const propertyPath = ({ argument }: CommandContext): string =>
  `/api/v1/properties/${encodeURIComponent(argument('PROPERTY'))}`;
const keysOf = (context: CommandContext): string => `${propertyPath(context)}/webhook-keys`;
const keyOf = (context: CommandContext): string =>
  `${keysOf(context)}/${encodeURIComponent(context.argument('KEY_ID'))}`;

async function settings(context: CommandContext, enabled: boolean | null): Promise<Answer> {
  const lookback = context.number('lookback');
  const path = `${propertyPath(context)}/webhooks`;
  const change = {
    ...(enabled === null ? {} : { enabled }),
    ...(lookback === undefined ? {} : { lookback_days: lookback }),
  };
  const asks = Object.keys(change).length === 0;
  const data = (await context.service.call(
    asks ? 'GET' : 'PUT',
    path,
    asks ? undefined : change,
  )) as Settings;
  return {
    data,
    text: data.enabled
      ? `Conversions are received at ${data.endpoint}/<topic>, and attributed to clicks of the last ${data.lookback_days} days.`
      : 'Conversions are not received.',
  };
}
