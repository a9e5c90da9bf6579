/** `ghostlight takeout`: all data of an organization as one archive. */
import { copyFileSync, existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { counted, size } from '../common/index.ts';
import { CommandError, type Leaf } from './command.ts';

const PATH = '/api/v1/takeouts';
const ASK_AGAIN_MS = 500;

interface Takeout {
  readonly id: string;
  readonly state: string;
  readonly table: string | null;
  readonly rows: number;
  readonly bytes: number;
  readonly error: string | null;
}

export const takeout: Leaf = {
  name: 'takeout',
  summary: 'export all data of an organization as one archive',
  about:
    'The archive (tar) has a folder for each table and a README; it contains no secrets. Large ones take minutes.',
  arguments: [
    {
      name: 'ORG',
      about: 'ID of the organization; the first one of the installation if absent',
      optional: true,
    },
  ],
  options: [
    { name: 'out', value: 'FILE', about: 'where to write the archive', default: 'ghostlight-takeout.tar' },
  ],
  json: '{"id", "file", "rows", "bytes"}',
  examples: [
    { does: 'All data of the first organization', command: 'ghostlight takeout' },
    {
      does: 'Of another one, to a file of your choice',
      command: 'ghostlight takeout 0198c1c4-5b0e-7c3a-9f54-2f4d6d1c9b11 --out agency.tar',
    },
  ],
  async run({ argument, option, service, config, print }) {
    const organization = argument('ORG');
    const query = organization === '' ? '' : `?organization=${encodeURIComponent(organization)}`;
    const file = resolve(option('out') ?? 'ghostlight-takeout.tar');
    if (existsSync(file)) throw new CommandError(`${file} exists. Name another file with --out.`);
    const { id } = (await service.call('POST', `${PATH}${query}`)) as Takeout;
    const made = await ready(
      id,
      async () => {
        const { items } = (await service.call('GET', `${PATH}${query}`)) as { items: Takeout[] };
        return items.find((one) => one.id === id);
      },
      print,
    );
    const source = join(config.dataDir, 'takeouts', `${id}.tar`);
    if (!existsSync(source))
      throw new CommandError(
        `The archive is not in ${config.dataDir}: run this command on the node that serves.`,
      );
    copyFileSync(source, file);
    await service.call('DELETE', `${PATH}/${id}${query}`);
    const { rows, bytes } = made;
    return {
      data: { id, file, rows, bytes },
      text: `${file}: ${counted(rows, ['row', 'rows'])}, ${size(bytes)}.`,
    };
  },
};

async function ready(
  id: string,
  look: () => Promise<Takeout | undefined>,
  print: (line: string) => void,
): Promise<Takeout> {
  for (let told = ''; ; ) {
    const now = await look();
    if (now === undefined) throw new CommandError(`The takeout ${id} has been deleted.`);
    if (now.state === 'failed') throw new CommandError(now.error ?? 'The takeout failed.');
    if (now.state === 'ready') return now;
    if (now.table !== null && now.table !== told) print(`${now.table} …`);
    told = now.table ?? told;
    await sleep(ASK_AGAIN_MS);
  }
}
