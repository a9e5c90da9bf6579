/**
 * `/healthz`: the process answers. `/readyz`: this node can take work: its spool accepts and the state database answers. A warehouse that
 * is away makes the answer say `degraded` but stay 200: the spool waits it out, and taking every node out of the load balancer
 * would turn a late report into lost hits.
 */
import { DatabaseUnwritable } from '../database/index.ts';
import { WarehouseUnavailable } from '../warehouse/index.ts';

export interface ReadinessChecks {
  readonly spool: () => boolean;
  readonly database: () => Promise<unknown>;
  readonly warehouse: () => Promise<unknown>;
}

export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  readonly checks: Readonly<Record<Check, 'ok' | 'failing'>>;
  /** A sentence for each check that fails. */
  readonly reasons?: Readonly<Partial<Record<Check, string>>>;
}

type Check = 'spool' | 'database' | 'warehouse';

/** A probe that hangs counts as failing. */
const PROBE_TIMEOUT_MS = 2_000;

export async function readiness(checks: ReadinessChecks): Promise<Readiness> {
  const [database, warehouse] = await Promise.all([
    probe(checks.database, 'The database does not answer.'),
    probe(checks.warehouse, 'The warehouse does not answer. Hits wait in the spool.'),
  ]);
  const spool = checks.spool() ? null : 'This node takes no hits: its spool is full, failing or drained.';
  const reasons = Object.entries({ spool, database, warehouse }).filter(([, reason]) => reason !== null);
  const state = (reason: string | null) => (reason === null ? 'ok' : 'failing');
  const usable = spool === null && database === null;
  return {
    status: usable ? (warehouse === null ? 'ready' : 'degraded') : 'unavailable',
    checks: { spool: state(spool), database: state(database), warehouse: state(warehouse) },
    ...(reasons.length === 0 ? {} : { reasons: Object.fromEntries(reasons) }),
  };
}

/** @returns null: it answered; else why not, in words that may be shown to anybody */
async function probe(check: () => Promise<unknown>, sentence: string): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(sentence), PROBE_TIMEOUT_MS);
  });
  const attempt = check().then(
    () => null,
    (error: unknown) =>
      error instanceof WarehouseUnavailable || error instanceof DatabaseUnwritable ? error.message : sentence,
  );
  try {
    return await Promise.race([attempt, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
