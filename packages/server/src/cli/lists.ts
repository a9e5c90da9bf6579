/** `ghostlight lists`: the bot list's version and sources, and a refresh by hand. */
import { CommandError, connect } from './client.ts';
import type { Command } from './command.ts';
import { type Row, table } from './output.ts';

export const lists: Command = {
  name: 'lists',
  usage: 'status | refresh',
  summary: 'show or renew the published IP ranges and key directories',
  async run({ words, config, print }) {
    const [verb = 'status'] = words;
    if (verb !== 'status' && verb !== 'refresh')
      throw new CommandError(`Usage: ghostlight lists ${lists.usage}`);
    const client = await connect(config);
    try {
      if (verb === 'refresh') {
        print('Asking every vendor; this takes up to a minute …');
        await client.call('POST', '/api/v1/lists/refresh');
      }
      const status = (await client.call('GET', '/api/v1/lists')) as { version: number; sources: Row[] };
      print(`Bot list version ${status.version}`);
      print(
        table(status.sources.map(withLastGood), {
          source: 'SOURCE',
          entries: 'ENTRIES',
          last_good: 'LAST GOOD',
          error: 'LAST ERROR',
        }),
      );
    } finally {
      await client.close();
    }
  },
};

/** Until a source was read well once, the copy that came with the code is in use. */
function withLastGood(source: Row): Row {
  const { entries = null, fetched_at: fetchedAt = null, as_of: asOf = null } = source;
  const embedded = asOf === null ? 'with this version' : `with this version, as of ${asOf}`;
  const none = entries === 0 ? 'never' : embedded;
  return { ...source, last_good: fetchedAt ?? none };
}
