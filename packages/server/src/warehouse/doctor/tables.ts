/** The tables: of this version, made as we make them, and in a state in which inserts and erasures end. */
import { counted } from '../../common/index.ts';
import { damageSentence } from '../errors.ts';
import { MIGRATIONS, retention } from '../schema/migrations.ts';
import { SHAPES, type Shape } from '../schema/shapes.ts';
import { bad, type Check, type Examined, good, type Known, note, type Outcome } from './check.ts';

const STEPS = ['step', 'steps'] as const;

interface Made {
  readonly name: string;
  readonly engine: string;
  readonly engine_full: string;
  readonly sorting_key: string;
  readonly partition_key: string;
}

export const schema: Check = {
  name: 'schema',
  async run(on, known) {
    const made = await on.ask<Made>(
      'SELECT name, engine, engine_full, sorting_key, partition_key FROM system.tables WHERE database = currentDatabase()',
    );
    if (!made.some(({ name }) => name === 'schema_migrations'))
      return [note('The database has no tables yet: the service makes them at its first start.')];
    const [applied] = await on.ask<{ version: number }>(
      'SELECT toUInt32(max(version)) AS version FROM schema_migrations',
    );
    const newest = MIGRATIONS.at(-1)?.version ?? 0;
    const version = applied?.version ?? 0;
    if (version > newest)
      return [
        bad(
          `The tables are of a newer Ghostlight (step ${version}; this version knows ${newest}): this version refuses to start. Start that version or a later one.`,
        ),
      ];
    if (version < newest)
      return [
        note(
          `The tables are ${counted(newest - version, STEPS)} behind this version: its next start, or ghostlight migrate, changes them.`,
        ),
      ];
    const columns = await columnsOf(on);
    const drift = Object.entries(SHAPES).flatMap(([name, expected]) =>
      driftOf(
        name,
        expected,
        made.find((table) => table.name === name),
        columns.get(name) ?? new Map(),
        on,
        known,
      ),
    );
    return drift.length > 0
      ? drift
      : [good(`The tables are of this version (step ${version}), as it makes them.`)];
  },
};

async function columnsOf({ ask }: Examined): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const rows = await ask<{ table: string; name: string; type: string }>(
    'SELECT table, name, type FROM system.columns WHERE database = currentDatabase() ORDER BY table, position',
  );
  return new Map(
    [...Map.groupBy(rows, ({ table }) => table)].map(([table, of]) => [
      table,
      new Map(of.map(({ name, type }) => [name, type])),
    ]),
  );
}

const plain = (key: string): string => key.replaceAll(/[`\s()]/g, '');

function driftOf(
  name: string,
  expected: Shape,
  made: Made | undefined,
  columns: ReadonlyMap<string, string>,
  { retentionDays }: Examined,
  { standing, isCloud }: Known,
): Outcome[] {
  if (made === undefined)
    return [
      bad(
        `The table ${name} is missing, although its step is recorded. Restore it from a backup, or name a new database in CLICKHOUSE_URL.`,
      ),
    ];
  const found: Outcome[] = [];
  const isReplicated = /^(?:Replicated|Shared)/.test(made.engine);
  if (!made.engine.endsWith('MergeTree') || isReplicated !== (standing === 'replicated'))
    found.push(
      bad(
        `The table ${name} has the engine ${made.engine}, where ${standing === 'replicated' ? 'Replicated' : ''}MergeTree is needed. Move the data to a new database.`,
      ),
    );
  for (const [what, is, needed] of [
    ['is sorted by', made.sorting_key, expected.sortingKey],
    ['is partitioned by', made.partition_key, expected.partitionKey],
  ] as const)
    if (plain(is) !== plain(needed))
      found.push(
        bad(`The table ${name} ${what} (${is}), not by (${needed}). Move the data to a new database.`),
      );
  const missing = Object.keys(expected.columns).filter((column) => !columns.has(column));
  if (missing.length > 0)
    found.push(
      bad(
        `The table ${name} lacks the columns ${missing.join(', ')}: inserts or reports fail. Restore it from a backup.`,
      ),
    );
  for (const [column, type] of Object.entries(expected.columns)) {
    const is = columns.get(column);
    if (is !== undefined && is !== type)
      found.push(
        bad(
          `The column ${name}.${column} has the type ${is}, not ${type}. Change it back: ALTER TABLE ${name} MODIFY COLUMN ${column} ${type};`,
        ),
      );
  }
  const extra = [...columns.keys()].filter((column) => !Object.hasOwn(expected.columns, column));
  if (extra.length > 0)
    found.push(note(`The table ${name} has columns that Ghostlight did not make: ${extra.join(', ')}.`));
  if (isCloud || name === 'schema_migrations') return found;
  const window = /(?:non_)?replicated_deduplication_window = (\d+)/.exec(made.engine_full)?.[1];
  if (Number(window ?? 0) === 0)
    found.push(
      bad(
        `The table ${name} keeps no tokens of inserts (deduplication window ${window ?? 'not set'}): a repeated insert would store rows twice. Set it again: ALTER TABLE ${name} MODIFY SETTING ${standing === 'replicated' ? 'replicated_deduplication_window = 10000' : 'non_replicated_deduplication_window = 1000'};`,
      ),
    );
  const isFacts = name === 'hits' || name === 'events';
  if (isFacts && !made.engine_full.includes(retention(retentionDays)))
    found.push(
      note(
        `The table ${name} has another retention than RETENTION_DAYS (${retentionDays}): the next start changes it.`,
      ),
    );
  return found;
}

/** ClickHouse slows inserts down at 1,000 parts of a partition, and refuses them at 3,000, where nothing else is configured. */
const MANY_PARTS = 300;
const TOO_MANY_PARTS = 1_000;
const PARTS = ['part', 'parts'] as const;

export const parts: Check = {
  name: 'parts',
  grant: 'SELECT ON system.parts',
  async run({ ask }) {
    const [fullest] = await ask<{ table: string; partition: string; n: string }>(
      'SELECT table, partition, toString(count()) AS n FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table, partition ORDER BY count() DESC LIMIT 1',
    );
    const n = Number(fullest?.n ?? 0);
    if (fullest === undefined || n < MANY_PARTS) return [good('Merges keep up with inserts.')];
    const sentence = `The partition ${fullest.partition} of ${fullest.table} has ${counted(n, PARTS)}: merges don’t keep up.`;
    return [
      n < TOO_MANY_PARTS
        ? note(`${sentence} Look at the server’s processors and disks.`)
        : bad(
            `${sentence} Inserts are slowed down, and refused soon. Look at system.merges, and at the server’s processors and disks.`,
          ),
    ];
  },
};

export const damaged: Check = {
  name: 'damage',
  grant: 'SELECT ON system.detached_parts',
  async run({ ask }) {
    const broken = await ask<{ table: string; part: string }>(
      "SELECT table, name AS part FROM system.detached_parts WHERE database = currentDatabase() AND startsWith(reason, 'broken') ORDER BY table, name LIMIT 20",
    );
    if (broken.length === 0) return [good('No part of a table is put aside as damaged.')];
    return broken.map((part) => bad(`${damageSentence(part)} See “Damaged files” in docs/clickhouse.md.`));
  },
};

const STUCK_SECONDS = 3_600;

export const mutations: Check = {
  name: 'mutations',
  grant: 'SELECT ON system.mutations',
  async run({ ask }) {
    const stuck = await ask<{ table: string; id: string; seconds: string; reason: string }>(
      `SELECT table, mutation_id AS id, toString(dateDiff('second', create_time, now())) AS seconds, substring(latest_fail_reason, 1, 160) AS reason
FROM system.mutations WHERE database = currentDatabase() AND NOT is_done
  AND (latest_fail_reason != '' OR create_time < now() - ${STUCK_SECONDS}) ORDER BY create_time LIMIT 10`,
    );
    if (stuck.length === 0) return [good('No mutation hangs: erasures and changes of columns end.')];
    return stuck.map(({ table, id, seconds, reason }) =>
      bad(
        `The mutation ${id} of ${table} has not ended in ${counted(Number(seconds) / 60, ['minute', 'minutes'])}${reason === '' ? '' : ` (${reason})`}: erasures of visitors wait behind it. Remove its cause, or end it: KILL MUTATION WHERE mutation_id = '${id}';`,
      ),
    );
  },
};
