/**
 * `/healthz`: the process answers. `/readyz`: this node can take work: its spool accepts and the state database answers. A warehouse that
 * is away makes the answer say `degraded` but stay 200: the spool waits it out, and taking every node out of the load balancer
 * would turn a late report into lost hits.
 */
export interface ReadinessChecks {
  readonly spool: () => boolean;
  readonly database: () => Promise<unknown>;
  readonly warehouse: () => Promise<unknown>;
}

export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  readonly checks: Readonly<Record<'spool' | 'database' | 'warehouse', 'ok' | 'failing'>>;
}

/** A probe that hangs counts as failing. */
const PROBE_TIMEOUT_MS = 2_000;

export async function readiness(checks: ReadinessChecks): Promise<Readiness> {
  const [database, warehouse] = await Promise.all([probe(checks.database), probe(checks.warehouse)]);
  const spool = checks.spool() ? 'ok' : 'failing';
  const usable = spool === 'ok' && database === 'ok';
  return {
    status: usable ? (warehouse === 'ok' ? 'ready' : 'degraded') : 'unavailable',
    checks: { spool, database, warehouse },
  };
}

async function probe(check: () => Promise<unknown>): Promise<'ok' | 'failing'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'failing'>((resolve) => {
    timer = setTimeout(() => resolve('failing'), PROBE_TIMEOUT_MS);
  });
  const attempt = check().then(
    () => 'ok' as const,
    () => 'failing' as const,
  );
  try {
    return await Promise.race([attempt, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
