/** `ghostlight keys`: ingest keys, shown once at issue. */
import { DEFAULT_SOURCE, SOURCE_NAMES } from '../sources/index.ts';
import type { Group } from './command.ts';
import { type Row, table } from './output.ts';
import { KEY_FILE, keepOrShow } from './secret-file.ts';

const PATH = '/api/v1/ingest-keys';

export const keys: Group = {
  name: 'keys',
  summary: 'list, issue, rotate or revoke ingest keys',
  default: 'list',
  subcommands: [
    {
      name: 'list',
      summary: 'list the ingest keys, without their secrets',
      json: `GET ${PATH}`,
      examples: [{ does: 'All keys, with the time of their last use', command: 'ghostlight keys list' }],
      async run({ service }) {
        const data = (await service.call('GET', PATH)) as { items: Row[] };
        const columns = {
          id: 'ID',
          prefix: 'PREFIX',
          name: 'NAME',
          provider: 'PROVIDER',
          last_used_at: 'LAST USED',
          last_used_from: 'FROM',
          expires_at: 'EXPIRES',
          revoked_at: 'REVOKED',
        };
        return { data, text: data.items.length === 0 ? 'No ingest keys yet.' : table(data.items, columns) };
      },
    },
    {
      name: 'issue',
      summary: 'issue an ingest key; it is shown only once',
      options: [
        {
          name: 'name',
          value: 'NAME',
          about: 'what the key is for, such as --name "Edge collector"',
          required: true,
        },
        {
          name: 'provider',
          value: 'SOURCE',
          about: 'the log source that sends with it',
          choices: SOURCE_NAMES,
          default: DEFAULT_SOURCE.name,
        },
        { name: 'property', value: 'ID', about: 'attribution ID for hits that carry none' },
        KEY_FILE,
      ],
      json: `POST ${PATH}`,
      examples: [
        { does: 'A key for the edge collector', command: 'ghostlight keys issue --name "Edge collector"' },
        {
          does: 'Into a file that only you can read, not onto the screen',
          command: 'ghostlight keys issue --name "Log push" --provider edge_logpush --key-file ./key',
        },
      ],
      async run(context) {
        const { service, option } = context;
        const property = option('property');
        return await keepOrShow(context, async () => {
          const issued = (await service.call('POST', PATH, {
            name: option('name'),
            provider: option('provider') ?? DEFAULT_SOURCE.name,
            ...(property === undefined ? {} : { attribution_id: property }),
          })) as { key: string };
          return { data: issued, secret: 'key' };
        });
      },
    },
    {
      name: 'rotate',
      summary: 'issue a key that replaces another one; both work for a while',
      about:
        'Put the new key into the sender while both work. "ghostlight keys revoke" ends the old one earlier.',
      arguments: [{ name: 'ID', about: 'of the old key; "ghostlight keys list" shows it' }],
      options: [
        {
          name: 'overlap',
          value: 'SECONDS',
          about: 'how long the old key works on',
          default: '604800',
          number: true,
        },
        KEY_FILE,
      ],
      json: `POST ${PATH}/{id}/rotate`,
      examples: [
        {
          does: 'The old key works for another seven days',
          command: 'ghostlight keys rotate 0198c1c4-5b0e-7c3a-9f54-2f4d6d1c9b11',
        },
        {
          does: 'For an hour, and the new one into a file that only you can read',
          command:
            'ghostlight keys rotate 0198c1c4-5b0e-7c3a-9f54-2f4d6d1c9b11 --overlap 3600 --key-file ./key',
        },
      ],
      async run(context) {
        const { service, argument, number } = context;
        const overlap = number('overlap');
        return await keepOrShow(context, async () => {
          const path = `${PATH}/${encodeURIComponent(argument('ID'))}/rotate`;
          const issued = (await service.call(
            'POST',
            path,
            overlap === undefined ? {} : { overlap_seconds: overlap },
          )) as { key: string };
          return { data: issued, secret: 'key' };
        });
      },
    },
    {
      name: 'revoke',
      summary: 'revoke an ingest key at once',
      arguments: [{ name: 'ID', about: 'of the key; "ghostlight keys list" shows it' }],
      json: '{"id", "revoked"}',
      examples: [{ does: 'One key', command: 'ghostlight keys revoke 0198c1c4-5b0e-7c3a-9f54-2f4d6d1c9b11' }],
      async run({ service, argument }) {
        const id = argument('ID');
        await service.call('DELETE', `${PATH}/${encodeURIComponent(id)}`);
        return { data: { id, revoked: true }, text: `Revoked ${id}.` };
      },
    },
  ],
};
