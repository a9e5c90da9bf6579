/** Alerts in figures, for the metrics of the installation: what is open in the database, and what this node has done. */
import type { Database } from '../database/index.ts';
import type { ChannelType } from './channel-address.ts';
import type { Posted } from './post.ts';

export interface AlertFigures {
  /** Alerts that hold, by kind. */
  readonly open: ReadonlyMap<string, number>;
  /** Messages that wait for their turn or for another attempt; 10,000 are counted. */
  readonly waiting: number;
}

/** Of one attempt to send: taken, to be tried again, given up. */
export const SENDING_OUTCOMES = ['sent', 'retry', 'failed'] as const;
export type SendingOutcome = (typeof SENDING_OUTCOMES)[number];

/** Since the start of this node. */
export interface AlertWork {
  readonly messages: ReadonlyMap<ChannelType, ReadonlyMap<SendingOutcome, number>>;
  /** Looks at one property each. A round that ends early, since the warehouse is down, has failed once. */
  readonly looks: { readonly done: number; readonly failed: number };
  /** The newest round that came to its end; null: none has on this node. */
  readonly lastRound: { readonly endedAt: number; readonly seconds: number } | null;
}

/** What the room's parts tell of their work. */
export interface AlertTally {
  sent(type: ChannelType, outcome: SendingOutcome): void;
  looked(outcome: keyof AlertWork['looks']): void;
  /** Epoch milliseconds. */
  roundEnded(beganAt: number, endedAt: number): void;
  work(): AlertWork;
}

export const outcomeOf = ({ ok }: Posted, isOver: boolean): SendingOutcome =>
  ok ? 'sent' : isOver ? 'failed' : 'retry';

export function createTally(): AlertTally {
  // Bounded by the types of channels and the outcomes.
  const messages = new Map<ChannelType, Map<SendingOutcome, number>>();
  const looks = { done: 0, failed: 0 };
  let lastRound: AlertWork['lastRound'] = null;
  return {
    sent(type, outcome) {
      const counts = messages.get(type) ?? new Map<SendingOutcome, number>();
      messages.set(type, counts);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    },
    looked(outcome) {
      looks[outcome] += 1;
    },
    roundEnded(beganAt, endedAt) {
      lastRound = { endedAt, seconds: Math.max(0, endedAt - beganAt) / 1_000 };
    },
    work: () => ({ messages, looks: { ...looks }, lastRound }),
  };
}

/** More of them is an alarm at any number. */
const MAX_WAITING = 10_000;

/** Of all organizations: the metrics are the operator's. */
export async function alertFigures({ reader }: Pick<Database, 'reader'>): Promise<AlertFigures> {
  const open = await reader
    .selectFrom('alerts')
    .select(({ fn }) => ['kind', fn.countAll<number | string>().as('count')])
    .where('resolved_at', 'is', null)
    .groupBy('kind')
    .execute();
  const { waiting } = await reader
    .selectFrom((query) =>
      query
        .selectFrom('alert_messages')
        .select('id')
        .where('next_at', 'is not', null)
        .limit(MAX_WAITING)
        .as('waiting'),
    )
    .select(({ fn }) => fn.countAll<number | string>().as('waiting'))
    .executeTakeFirstOrThrow();
  return {
    open: new Map(open.map(({ kind, count }) => [kind, Number(count)])),
    waiting: Number(waiting),
  };
}
