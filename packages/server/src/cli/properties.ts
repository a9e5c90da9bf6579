/** `ghostlight properties`: the attribution IDs of this installation. */
import { CommandError, connect } from './client.ts';
import type { Command } from './command.ts';
import { type Row, table } from './output.ts';

export const properties: Command = {
  name: 'properties',
  usage: 'list | create --name NAME --domain DOMAIN | delete ID',
  summary: 'list, create or delete properties',
  async run({ words, options, config, print }) {
    const [verb = 'list', id] = words;
    if (verb !== 'list' && verb !== 'create' && !(verb === 'delete' && id !== undefined))
      throw new CommandError(`Usage: ghostlight properties ${properties.usage}`);
    if (verb === 'create')
      for (const name of ['name', 'domain'])
        if (!options.get(name))
          throw new CommandError(`--${name} is missing.\nUsage: ghostlight properties ${properties.usage}`);
    const client = await connect(config);
    try {
      if (verb === 'list') {
        const { items } = (await client.call('GET', '/api/v1/properties')) as { items: Row[] };
        print(
          items.length === 0
            ? 'No properties yet.'
            : table(items, { id: 'ATTRIBUTION ID', name: 'NAME', domain: 'DOMAIN' }),
        );
      } else if (verb === 'create') {
        const body = { name: options.get('name'), domain: options.get('domain') };
        const created = (await client.call('POST', '/api/v1/properties', body)) as { id: string };
        print(created.id);
      } else if (id !== undefined) {
        await client.call('DELETE', `/api/v1/properties/${encodeURIComponent(id)}`);
        print(`Deleted ${id}.`);
      }
    } finally {
      await client.close();
    }
  },
};
