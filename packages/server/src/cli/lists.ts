/** `ghostlight lists`: the bot list's version and sources, and a refresh by hand. */
import type { Answer, CommandContext, Group } from './command.ts';
import { type Row, table } from './output.ts';

const PATH = '/api/v1/lists';

export const lists: Group = {
  name: 'lists',
  summary: 'show or renew the published IP ranges and key directories',
  default: 'status',
  subcommands: [
    {
      name: 'status',
      summary: 'show the version of the bot list, and when each source was last read',
      json: `GET ${PATH}`,
      examples: [{ does: 'Every source with its last error', command: 'ghostlight lists status' }],
      run: async ({ service }) => await status(service),
    },
    {
      name: 'refresh',
      summary: 'fetch every vendor’s addresses and keys now',
      json: `GET ${PATH}`,
      examples: [{ does: 'Takes up to a minute', command: 'ghostlight lists refresh' }],
      async run({ service, print }) {
        print('Asking every vendor; this takes up to a minute …');
        await service.call('POST', `${PATH}/refresh`);
        return await status(service);
      },
    },
  ],
};

async function status(service: CommandContext['service']): Promise<Answer> {
  const data = (await service.call('GET', PATH)) as { version: number; sources: Row[] };
  const columns = { source: 'SOURCE', entries: 'ENTRIES', last_good: 'LAST GOOD', error: 'LAST ERROR' };
  return {
    data,
    text: [`Bot list version ${data.version}`, table(data.sources.map(withLastGood), columns)],
  };
}

/** Until a source was read well once, the copy that came with the code is in use. */
function withLastGood(source: Row): Row {
  const { entries = null, fetched_at: fetchedAt = null, as_of: asOf = null } = source;
  const embedded = asOf === null ? 'with this version' : `with this version, as of ${asOf}`;
  const none = entries === 0 ? 'never' : embedded;
  return { ...source, last_good: fetchedAt ?? none };
}
