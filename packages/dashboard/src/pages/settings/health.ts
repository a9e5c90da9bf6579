/** The health of the service, check by check, from `/readyz` and the spool. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, ApiError, get, UNREACHABLE } from '../../api/client.ts';
import { counted } from '../../format/names.ts';

const REFRESH_MS = 15_000;

/** What the service checks of itself. */
type Part = 'spool' | 'database' | 'warehouse';

export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  readonly checks: Readonly<Record<Part, 'ok' | 'failing'>>;
  /** One sentence per failing part, which says what to do. */
  readonly reasons?: Readonly<Partial<Record<Part, string>>>;
}

type SpoolAnswer = Answer<'GET /api/v1/spool'>;

export interface Spool
  extends Pick<SpoolAnswer, 'pending_rows' | 'pending_events' | 'last_error' | 'lost_rows'> {
  /** Of the last 30 days, oldest first. */
  readonly damages: readonly Pick<SpoolAnswer['damages'][number], 'at' | 'lost_rows'>[];
}

type Intake = Answer<'GET /api/v1/installation/checks'>['intake'];

export interface Health {
  readonly readiness: Readiness;
  /** null: this caller may not see it. */
  readonly spool: Spool | null;
  /** Of the disk of the answering node; null: it is not known, or this caller may not see it. */
  readonly free_bytes: Intake['free_bytes'];
}

export const healthQuery = () =>
  queryOptions({
    queryKey: ['health'],
    queryFn: async ({ signal }): Promise<Health> => {
      const [readiness, spool, checks] = await Promise.all([
        readinessOf(signal),
        get('/api/v1/spool', { signal }).catch(nullIfRefused),
        get('/api/v1/installation/checks', { signal }).catch(nullIfRefused),
      ]);
      return { readiness, spool, free_bytes: checks?.intake.free_bytes ?? null };
    },
    refetchInterval: REFRESH_MS,
  });

function nullIfRefused(error: unknown): null {
  if (error instanceof ApiError && error.status === 403) return null;
  throw error;
}

/** "Unavailable" comes with the status 503. */
async function readinessOf(signal: AbortSignal): Promise<Readiness> {
  try {
    return (await (await fetch('/readyz', { signal })).json()) as Readiness;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw Object.assign(new ApiError(0, 'The service can’t be reached.', [], UNREACHABLE), { cause });
  }
}

export interface HealthCheck {
  readonly name: string;
  readonly tone: 'good' | 'wait' | 'bad';
  readonly state: string;
  /** What works, or what is wrong and what to do. */
  readonly text: string;
  /** At the end of the row, where there is one. */
  readonly figure?: string;
}

/** In the order of a visit's way. Without the warehouse nothing is lost: the spool keeps what comes. */
const PARTS = [
  { part: 'spool', name: 'Receiving', works: 'Visits and events are accepted.', failing: 'bad' },
  {
    part: 'warehouse',
    name: 'Storing and reporting',
    works: 'Accepted visits appear in reports.',
    failing: 'wait',
  },
  { part: 'database', name: 'Accounts and settings', works: 'Database is responding.', failing: 'bad' },
] as const;

const STATES = { good: 'Working', wait: 'Waiting', bad: 'Failing' } as const;

/** The checks of the page; that of the disk only for those who may see it. */
export function checksOf({ readiness, spool, free_bytes }: Health): readonly HealthCheck[] {
  const checks = PARTS.map(({ part, name, works, failing }): HealthCheck => {
    if (readiness.checks[part] === 'failing')
      return { name, tone: failing, state: STATES[failing], text: readiness.reasons?.[part] ?? '' };
    const behind = part === 'warehouse' ? backlogOf(spool) : null;
    return behind === null
      ? {
          name,
          tone: 'good',
          state: STATES.good,
          text: works,
          ...(part === 'warehouse' ? waiting(spool) : {}),
        }
      : { name, tone: 'wait', state: STATES.wait, text: behind };
  });
  return spool === null ? checks : [...checks, diskOf(spool, free_bytes)];
}

/** All checks in one line. */
export function healthSum(checks: readonly HealthCheck[]): string {
  const unwell = checks.filter(({ tone }) => tone !== 'good').length;
  if (unwell === 0) return 'All systems working';
  return `${unwell} of ${checks.length} ${unwell === 1 ? 'needs' : 'need'} a look`;
}

/** Accepted and not yet in reports. */
function waiting(spool: Spool | null): Pick<HealthCheck, 'figure'> {
  if (spool === null) return {};
  return { figure: counted(spool.pending_rows + spool.pending_events, 'row waiting', 'rows waiting') };
}

/** Why rows wait although the warehouse answers; null: none do. */
function backlogOf(spool: Spool | null): string | null {
  if (spool === null || spool.last_error === null) return null;
  const rows = spool.pending_rows + spool.pending_events;
  return `${counted(rows, 'row waits', 'rows wait')} on disk: the warehouse did not take the last batch (${spool.last_error}). They are sent again.`;
}

const GB = 1e9;

function diskOf({ damages, lost_rows }: Spool, free: Health['free_bytes']): HealthCheck {
  const name = 'Disk';
  const told = [
    damages.length > 0 &&
      `The disk damaged the spool ${times(damages.length)} in the last 30 days. Check the disk.`,
    lost_rows > 0 &&
      `${counted(lost_rows, 'acknowledged row was', 'acknowledged rows were')} lost to damage on the disk since this installation began.`,
  ].filter((text) => text !== false);
  return told.length === 0
    ? {
        ...{ name, tone: 'good', state: STATES.good, text: 'No corruption or data loss in 30 days.' },
        ...(free === null
          ? {}
          : { figure: `${(free / GB).toLocaleString('en', { maximumSignificantDigits: 3 })} GB free` }),
      }
    : { name, tone: 'bad', state: 'Damaged', text: told.join(' ') };
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
