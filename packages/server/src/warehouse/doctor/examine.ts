/** `ghostlight doctor --warehouse`: the checks in their order. To add one, write it in a file of this folder and list it here. */
import type { Clock, Log } from '../../common/index.ts';
import { openWarehouse } from '../client.ts';
import { exceptionCode, WarehouseMisconfigured } from '../errors.ts';
import { missingRights } from '../rights.ts';
import { NO_CLUSTER } from '../topology.ts';
import type { Standing } from '../warehouse.ts';
import {
  bad,
  type Check,
  type CheckFinding,
  type Examined,
  good,
  isDenied,
  type Known,
  note,
  type Outcome,
  reasonOf,
} from './check.ts';
import { passage, repetition } from './probe.ts';
import { reach } from './reach.ts';
import { keeper, members, replication } from './replicas.ts';
import { clockOutcome, disks, settings, signIn, versionOutcome } from './server.ts';
import { damaged, mutations, parts, schema } from './tables.ts';

/** Of one question; a server that hangs is said to. */
const QUESTION_SECONDS = 10;

export interface ExamineOptions {
  readonly url: string;
  readonly cluster: string | null;
  readonly retentionDays: number;
  readonly clock: Clock;
  readonly log: Log;
  /** How long the first answer may take; milliseconds. */
  readonly patienceMs?: number;
}

const SYNTAX_ERROR = 62;

const rights: Check = {
  name: 'rights',
  async run({ warehouse }, { standing }) {
    try {
      const missing = await missingRights(warehouse, standing);
      if (missing.length === 0)
        return [good('The user has every right that docs/clickhouse.md lists for the service.')];
      return missing.map(({ grant, needed, why }) =>
        (needed === 'optional' ? note : bad)(
          `The user lacks the right ${grant} (${why}). Run: GRANT ${grant} TO the user.`,
        ),
      );
    } catch (error) {
      if (exceptionCode(error) !== SYNTAX_ERROR) throw error;
      return [
        note('This server can’t be asked for rights. docs/clickhouse.md lists those that the service needs.'),
      ];
    }
  },
};

const CHECKS: readonly Check[] = [
  ...[settings, rights, members, keeper, replication],
  ...[schema, parts, damaged, mutations, repetition, passage, disks],
];

const STANDINGS: Readonly<Record<Standing, string>> = {
  embedded: 'The embedded engine answers.',
  single: 'One server, without replicas.',
  replicated: 'Replicas of one shard: a majority confirms each insert.',
};

/** @returns every finding, in the order of the checks; each check answers with at least one sentence, or does not apply */
export async function examineWarehouse(options: ExamineOptions): Promise<CheckFinding[]> {
  const found: CheckFinding[] = [];
  const add = (check: string, outcomes: readonly Outcome[]): boolean => {
    for (const outcome of outcomes) found.push({ check, ...outcome });
    return outcomes.every(({ level }) => level !== 'bad');
  };
  found.push(...(await reach(options.url, options.clock(), options.patienceMs)));
  if (found.some(({ level }) => level === 'bad')) return found;
  const warehouse = await openWarehouse({ ...options, dataDir: '' });
  const on: Examined = {
    ...options,
    warehouse,
    ask: (sql, params = {}, given = {}) =>
      warehouse.rows('live', { sql, params, settings: { max_execution_time: QUESTION_SECONDS, ...given } }),
  };
  try {
    const signedIn = await signIn(on);
    if ('level' in signedIn) {
      add('credentials', [signedIn]);
      return found;
    }
    const { user, database, version } = signedIn.welcome;
    add('credentials', [good(`The user ${user} signs in to the database ${database}.`)]);
    if (!add('version', [versionOutcome(version)])) return found;
    add('clock', [clockOutcome(signedIn.clockAhead)]);
    const known = await topology(on, database, (outcomes) => add('cluster', outcomes));
    if (known === null) return found;
    for (const check of CHECKS) add(check.name, await outcomesOf(check, on, known));
    return found;
  } finally {
    await warehouse.close();
  }
}

/** @returns null when what is there can't be used as it is set up */
async function topology(
  on: Examined,
  database: string,
  add: (outcomes: readonly Outcome[]) => boolean,
): Promise<Known | null> {
  try {
    const standing = await on.warehouse.standing();
    const isCloud = await asksCloud(on);
    const [{ engine = '' } = {}] = await on.ask<{ engine: string }>(
      'SELECT engine FROM system.databases WHERE name = currentDatabase()',
    );
    const configured = on.cluster === NO_CLUSTER ? null : on.cluster;
    const clusterName = isCloud ? null : engine === 'Replicated' ? database : configured;
    add([
      good(isCloud ? 'ClickHouse Cloud: the platform replicates the tables.' : STANDINGS[standing]),
      ...(isCloud && configured !== null
        ? [note('CLICKHOUSE_CLUSTER is set, and ClickHouse Cloud does not need it. Unset it.')]
        : []),
    ]);
    return { standing, isCloud, database, clusterName };
  } catch (error) {
    add([
      bad(
        error instanceof WarehouseMisconfigured
          ? error.message
          : `What the server is could not be found out: ${reasonOf(error)}`,
      ),
    ]);
    return null;
  }
}

async function asksCloud({ ask }: Examined): Promise<boolean> {
  const rows = await ask("SELECT name FROM system.settings WHERE name = 'cloud_mode' AND value = '1'");
  return rows.length > 0;
}

async function outcomesOf(check: Check, on: Examined, known: Known): Promise<readonly Outcome[]> {
  try {
    return await check.run(on, known);
  } catch (error) {
    if (!isDenied(error)) return [bad(`The check “${check.name}” fails: ${reasonOf(error)}`)];
    const grant = check.grant === undefined ? '' : ` To allow it: GRANT ${check.grant} TO the user.`;
    return [note(`The check “${check.name}” needs a right that the user lacks.${grant}`)];
  }
}
