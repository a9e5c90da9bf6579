/**
 * `/healthz`: the process answers. `/readyz`: this node can take work: its spool accepts and the state database answers. A warehouse that
 * is down makes the answer say `degraded` but stay 200: the spool waits it out, and taking every node out of the load balancer
 * would turn a late report into lost hits.
 */
import { DatabaseUnwritable } from '../database/index.ts';
import type { Closure, Durability } from '../spool/index.ts';
import { WarehouseUnavailable } from '../warehouse/index.ts';
import { freeOf, intakeOf, spaceOf } from './intake.ts';

export interface ReadinessChecks {
  /** Why this node takes no hits; null: it does. */
  readonly spool: () => Closure | 'drained' | null;
  /** Where a hit is when it is acknowledged. */
  readonly durability: Durability;
  readonly database: () => Promise<unknown>;
  readonly warehouse: () => Promise<unknown>;
  /** Where the spool and an embedded database are. */
  readonly dataDir: string;
}

export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  readonly checks: Readonly<Record<Check, 'ok' | 'failing'>>;
  readonly acknowledged_on: Durability;
  /** A sentence for each check that fails. */
  readonly reasons?: Readonly<Partial<Record<Check, string>>>;
}

type Check = 'spool' | 'database' | 'warehouse';

/** A probe that hangs counts as failing. */
const PROBE_TIMEOUT_MS = 2_000;
const WHERE_TO_LOOK = 'On this node, `ghostlight doctor` names the disk and what to do.';

/** @param forOperator names paths and how much of their disks is free; unauthenticated clients may ask too, and don't get them */
export async function readiness(checks: ReadinessChecks, forOperator: boolean): Promise<Readiness> {
  const [database, warehouse, intake] = await Promise.all([
    probe(checks.database, 'The database does not answer.'),
    probe(checks.warehouse, 'The warehouse does not answer. Hits wait in the spool.'),
    intakeOf(checks.spool(), checks.dataDir),
  ]);
  const spool = forOperator || intake.summary === null ? intake.reason : aside(intake.summary);
  const reasons = {
    spool,
    database: database === null ? null : await databaseReason(database, checks.dataDir, forOperator),
    warehouse: warehouse?.sentence ?? null,
  };
  const failing = Object.entries(reasons).filter(([, reason]) => reason !== null);
  const state = (reason: string | null) => (reason === null ? 'ok' : 'failing');
  const usable = reasons.spool === null && reasons.database === null;
  return {
    status: usable ? (reasons.warehouse === null ? 'ready' : 'degraded') : 'unavailable',
    checks: {
      spool: state(reasons.spool),
      database: state(reasons.database),
      warehouse: state(reasons.warehouse),
    },
    acknowledged_on: checks.durability,
    ...(failing.length === 0 ? {} : { reasons: Object.fromEntries(failing) }),
  };
}

const aside = (summary: string): string => `${summary} ${WHERE_TO_LOOK}`;

async function databaseReason(
  { sentence, isDisk }: Failure,
  dataDir: string,
  forOperator: boolean,
): Promise<string> {
  if (!isDisk) return sentence;
  if (!forOperator) return aside(sentence);
  const space = await spaceOf(dataDir);
  return `${sentence} It is the disk of ${dataDir}: ${freeOf(space)}. Free up space on it, or check its write permissions.`;
}

interface Failure {
  /** May be shown to anyone. */
  readonly sentence: string;
  /** The disk under the state database refuses writes. */
  readonly isDisk: boolean;
}

/** @returns null: it answered */
async function probe(check: () => Promise<unknown>, sentence: string): Promise<Failure | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Failure>((resolve) => {
    timer = setTimeout(() => resolve({ sentence, isDisk: false }), PROBE_TIMEOUT_MS);
  });
  const attempt = check().then(
    () => null,
    (error: unknown): Failure => {
      const isDisk = error instanceof DatabaseUnwritable;
      return {
        sentence: isDisk || error instanceof WarehouseUnavailable ? error.message : sentence,
        isDisk,
      };
    },
  );
  try {
    return await Promise.race([attempt, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
