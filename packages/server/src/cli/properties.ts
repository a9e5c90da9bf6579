/** `ghostlight properties`: the attribution IDs of this installation. */
import type { Group } from './command.ts';
import { type Row, table } from './output.ts';

const PATH = '/api/v1/properties';
/** Kinds of rows that a line names. */
const MAX_NAMED = 4;

interface Deleted {
  readonly name: string;
  readonly state: string;
  readonly deleted: readonly { readonly rows: number; readonly holds: string }[];
  readonly left_rows: number;
}

export const properties: Group = {
  name: 'properties',
  summary: 'list, create or delete properties',
  default: 'list',
  subcommands: [
    {
      name: 'list',
      summary: 'list the properties with their attribution IDs',
      json: `GET ${PATH}`,
      examples: [
        { does: 'All properties', command: 'ghostlight properties list' },
        {
          does: 'Only their attribution IDs',
          command: "ghostlight properties list --json | jq -r '.items[].id'",
        },
      ],
      async run({ service }) {
        const data = (await service.call('GET', PATH)) as { items: Row[] };
        const columns = { id: 'ATTRIBUTION ID', name: 'NAME', domain: 'DOMAIN' };
        return {
          data,
          text: data.items.length === 0 ? 'No properties yet.' : table(data.items, columns),
          ...(data.items.length === 0
            ? { hint: 'Create one: ghostlight properties create --name Shop --domain shop.example' }
            : {}),
        };
      },
    },
    {
      name: 'create',
      summary: 'create a property and print its attribution ID',
      options: [
        { name: 'name', value: 'NAME', about: 'display name', required: true },
        {
          name: 'domain',
          value: 'DOMAIN',
          about: 'the site’s host name, such as shop.example',
          required: true,
        },
        {
          name: 'time-zone',
          value: 'ZONE',
          about: 'IANA time zone whose days the reports have, such as Europe/Paris',
          default: 'UTC',
        },
      ],
      json: `POST ${PATH}`,
      examples: [
        {
          does: 'A shop whose days begin in Paris',
          command: 'ghostlight properties create --name Shop --domain shop.example --time-zone Europe/Paris',
        },
      ],
      async run({ service, option }) {
        const zone = option('time-zone');
        const data = (await service.call('POST', PATH, {
          name: option('name'),
          domain: option('domain'),
          ...(zone === undefined ? {} : { time_zone: zone }),
        })) as { id: string };
        const next = `ghostlight keys issue --name "Edge collector" --property ${data.id}`;
        return { data, text: data.id, hint: `Next, a key for what sends its visits: ${next}` };
      },
    },
    {
      name: 'delete',
      summary: 'delete a property with everything in it; this can’t be undone',
      arguments: [{ name: 'ID', about: 'its attribution ID' }],
      json: '{"id", "deleted"}',
      examples: [
        {
          does: 'The property and all its data are deleted; its keys no longer work',
          command: 'ghostlight properties delete 0198c1c4-5b0e-7c3a-9f54-2f4d6d1c9b11',
        },
      ],
      async run({ service, argument }) {
        const id = argument('ID');
        await service.call('DELETE', `${PATH}/${encodeURIComponent(id)}`);
        return {
          data: { id, deleted: true },
          text: `Deleted ${id}.`,
          hint: 'Its data is deleted in the background. To see how far that is: ghostlight properties deletions',
        };
      },
    },
    {
      name: 'deletions',
      summary: 'show deleted properties, what was deleted with them, and what is left',
      json: 'GET /api/v1/deletions',
      examples: [{ does: 'The newest first', command: 'ghostlight properties deletions' }],
      async run({ service }) {
        const data = (await service.call('GET', '/api/v1/deletions')) as { items: Deleted[] };
        const columns = { name: 'NAME', state: 'STATE', deleted: 'DELETED', left: 'LEFT' };
        const rows = data.items.map(({ name, state, deleted, left_rows: left }) => ({
          ...{ name, state, left },
          deleted:
            deleted
              .slice(0, MAX_NAMED)
              .map(({ rows, holds }) => `${rows.toLocaleString('en')} ${holds}`)
              .join(', ') || 'nothing',
        }));
        return { data, text: rows.length === 0 ? 'Nothing was deleted yet.' : table(rows, columns) };
      },
    },
  ],
};
