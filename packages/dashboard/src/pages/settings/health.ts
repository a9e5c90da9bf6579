/** The health of the service, as sentences, from `/readyz` and the spool. */
import { queryOptions } from '@tanstack/react-query';
import { type Answer, ApiError, get, UNREACHABLE } from '../../api/client.ts';
import { counted } from '../../format/names.ts';

const REFRESH_MS = 15_000;

export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  /** One sentence per failing part. */
  readonly reasons?: Readonly<Record<string, string>>;
}

type SpoolAnswer = Answer<'GET /api/v1/spool'>;

export interface Spool
  extends Pick<SpoolAnswer, 'pending_rows' | 'pending_events' | 'last_error' | 'lost_rows'> {
  /** Of the last 30 days, oldest first. */
  readonly damages: readonly Pick<SpoolAnswer['damages'][number], 'at' | 'lost_rows'>[];
}

export interface Health {
  readonly readiness: Readiness;
  /** null: this caller may not see it. */
  readonly spool: Spool | null;
}

export const healthQuery = () =>
  queryOptions({
    queryKey: ['health'],
    queryFn: async ({ signal }): Promise<Health> => {
      const [readiness, spool] = await Promise.all([
        readinessOf(signal),
        get('/api/v1/spool', { signal }).catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 403) return null;
          throw error;
        }),
      ]);
      return { readiness, spool };
    },
    refetchInterval: REFRESH_MS,
  });

/** "Unavailable" comes with the status 503. */
async function readinessOf(signal: AbortSignal): Promise<Readiness> {
  try {
    return (await (await fetch('/readyz', { signal })).json()) as Readiness;
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw Object.assign(new ApiError(0, 'The service can’t be reached.', [], UNREACHABLE), { cause });
  }
}

export interface Told {
  readonly tone: 'good' | 'wait' | 'bad';
  readonly text: string;
}

const STATES: Readonly<Record<Readiness['status'], Told>> = {
  ready: { tone: 'good', text: 'Receiving, storing and reporting.' },
  degraded: { tone: 'wait', text: 'Receiving; another component is unavailable.' },
  unavailable: { tone: 'bad', text: 'Not receiving.' },
};

/** The state first, then problems, then losses. */
export function sentencesOf({ readiness, spool }: Health): readonly Told[] {
  const state = STATES[readiness.status];
  const told: Told[] = [
    state,
    ...Object.values(readiness.reasons ?? {}).map((text) => ({ tone: state.tone, text })),
  ];
  if (spool === null) return told;
  const waiting = spool.pending_rows + spool.pending_events;
  if (spool.last_error !== null)
    told.push({
      tone: 'wait',
      text: `${counted(waiting, 'row waits', 'rows wait')} on disk: the warehouse did not take the last batch (${spool.last_error}).`,
    });
  if (spool.damages.length > 0)
    told.push({
      tone: 'bad',
      text: `The disk damaged the spool ${times(spool.damages.length)} in the last 30 days. Check the disk.`,
    });
  if (spool.lost_rows > 0)
    told.push({
      tone: 'bad',
      text: `${counted(spool.lost_rows, 'acknowledged row was', 'acknowledged rows were')} lost to damage on the disk since this installation began.`,
    });
  return told;
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
