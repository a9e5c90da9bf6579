/** `ghostlight keys`: ingest keys, shown once at issue. */
import { DEFAULT_SOURCE, SOURCE_NAMES } from '../sources/index.ts';
import { CommandError, connect } from './client.ts';
import type { Command } from './command.ts';
import { type Row, table } from './output.ts';

export const keys: Command = {
  name: 'keys',
  usage: `list | issue --name NAME [--provider ${SOURCE_NAMES.join('|')}] [--property ID] | revoke ID`,
  summary: 'list, issue or revoke ingest keys',
  async run({ words, options, config, print }) {
    const [verb = 'list', id] = words;
    if (words.length > (verb === 'revoke' ? 2 : 1))
      throw new CommandError(
        `"${words.at(-1)}" is one word too many; the property of a key is --property ID.\nUsage: ghostlight keys ${keys.usage}`,
      );
    if (verb !== 'list' && verb !== 'issue' && !(verb === 'revoke' && id !== undefined))
      throw new CommandError(`Usage: ghostlight keys ${keys.usage}`);
    if (verb === 'issue' && !options.get('name'))
      throw new CommandError(
        `--name is missing: what the key is for, such as --name "Edge collector".\nUsage: ghostlight keys ${keys.usage}`,
      );
    const client = await connect(config);
    try {
      if (verb === 'list') {
        const { items } = (await client.call('GET', '/api/v1/ingest-keys')) as { items: Row[] };
        const columns = {
          id: 'ID',
          prefix: 'PREFIX',
          name: 'NAME',
          provider: 'PROVIDER',
          last_used_at: 'LAST USED',
          revoked_at: 'REVOKED',
        };
        print(items.length === 0 ? 'No ingest keys yet.' : table(items, columns));
      } else if (verb === 'issue') {
        const property = options.get('property');
        const issued = (await client.call('POST', '/api/v1/ingest-keys', {
          name: options.get('name'),
          provider: options.get('provider') ?? DEFAULT_SOURCE.name,
          ...(property === undefined ? {} : { attribution_id: property }),
        })) as { key: string };
        print(issued.key);
        print('Store it now: it is not shown again.');
      } else if (id !== undefined) {
        await client.call('DELETE', `/api/v1/ingest-keys/${encodeURIComponent(id)}`);
        print(`Revoked ${id}.`);
      }
    } finally {
      await client.close();
    }
  },
};
