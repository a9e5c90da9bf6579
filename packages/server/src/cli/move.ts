/** `ghostlight move`: the stores of an installation to servers, and back. */
import { resolve } from 'node:path';
import { count, counted } from '../common/index.ts';
import type { MoveReport } from '../move.ts';
import { quietly } from './client.ts';
import { CommandError, type Leaf, UsageError } from './command.ts';

const DIFFERENCES_SHOWN = 20;

export const move: Leaf = {
  name: 'move',
  summary: 'copy the stores to PostgreSQL and ClickHouse, or back, and compare them',
  about:
    'Stop the service first: the command reads the stores that its settings name, and never changes them. If it is interrupted, run the same command again.',
  options: [
    {
      name: 'to-database',
      value: 'URL',
      about: 'copy the state database to this empty PostgreSQL database (postgres://…)',
    },
    {
      name: 'to-warehouse',
      value: 'URL',
      about: 'copy the warehouse to this empty ClickHouse database (https://…)',
    },
    { name: 'to-cluster', value: 'NAME', about: 'the CLICKHOUSE_CLUSTER of --to-warehouse' },
    {
      name: 'to-data-dir',
      value: 'DIR',
      about: 'copy the stores that the other options don’t name to embedded ones in this directory',
    },
  ],
  json: '{"tables": [{"store", "table", "days", "rows"}], "differences": [{"store", "table", "day", "rows", "found"}], "copied": {"rows", "seconds"}, "settings", "spool"}',
  examples: [
    {
      does: 'To servers',
      command:
        'ghostlight move --to-database postgres://ghostlight@db/ghostlight --to-warehouse https://ghostlight@clickhouse:8443/ghostlight',
    },
    { does: 'Back to embedded stores', command: 'ghostlight move --to-data-dir /var/lib/ghostlight' },
  ],
  async run({ option, config, print }) {
    const address = (name: string, protocols: readonly string[]): string | null => {
      const value = option(name);
      if (value === undefined) return null;
      if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
        throw new UsageError(
          `--${name} is an address that starts with ${protocols.map((one) => `${one}//`).join(' or ')}.`,
        );
      return value;
    };
    const to = {
      databaseUrl: address('to-database', ['postgres:', 'postgresql:']),
      warehouseUrl: address('to-warehouse', ['http:', 'https:']),
      cluster: option('to-cluster') ?? null,
      dataDir: option('to-data-dir') === undefined ? null : resolve(option('to-data-dir') ?? ''),
    };
    if (to.databaseUrl === null && to.warehouseUrl === null && to.dataDir === null)
      throw new UsageError('Name a target: --to-database, --to-warehouse or --to-data-dir.');
    if (to.cluster !== null && to.warehouseUrl === null)
      throw new UsageError('--to-cluster belongs to --to-warehouse.');
    const stop = new AbortController();
    const end = () => stop.abort();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, end);
    // Not at import: it loads both stores.
    const { move: run } = await import('../move.ts');
    try {
      const report = await run(quietly(config), to, { clock: Date.now, signal: stop.signal, print });
      return { data: report, ...told(report) };
    } catch (error) {
      if (!stop.signal.aborted) throw error;
      throw new CommandError('Stopped. Run the same command again to go on from here.');
    } finally {
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, end);
    }
  },
};

function told({ tables, differences, copied, settings, spool }: MoveReport): {
  text: string[];
  failed?: string;
} {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const rate = copied.seconds === 0 ? '' : ` (${count(copied.rows / copied.seconds)} a second)`;
  const done = `Copied ${counted(copied.rows, ['row', 'rows'])} in ${counted(copied.seconds, ['second', 'seconds'])}${rate}.`;
  if (differences.length > 0)
    return {
      text: [
        done,
        'These are not the same in the source and in the target:',
        ...differences.slice(0, DIFFERENCES_SHOWN).map((one) => `  ${differenceSentence(one)}`),
        ...(differences.length > DIFFERENCES_SHOWN
          ? [`  and ${differences.length - DIFFERENCES_SHOWN} more`]
          : []),
      ],
      failed:
        'The target is not a copy of the source. Make sure that nothing writes to either, then run the same command again: it copies what differs.',
    };
  return {
    text: [
      done,
      `Compared ${counted(rows, ['row', 'rows'])} of ${counted(tables.length, ['table', 'tables'])}: source and target are the same, by count and checksum of each table and day.`,
      spool,
      '',
      'Set these settings and start:',
      ...Object.entries(settings).map(
        ([name, value]) => `  ${value === '' ? `unset ${name}` : `${name}=${value}`}`,
      ),
    ],
  };
}

function differenceSentence({ table, day, rows, found }: MoveReport['differences'][number]): string {
  const of = (n: number) => counted(n, ['row', 'rows']);
  const what =
    rows === found
      ? `${of(rows)} on both sides, with other values`
      : `${of(rows)} in the source, ${of(found)} in the target`;
  return `${table}${day === null ? '' : ` on ${day}`}: ${what}`;
}
