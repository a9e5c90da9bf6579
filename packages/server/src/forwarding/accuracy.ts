/**
 * The outcome of every conversion, by platform and day, to compare with a platform's own numbers. Counted from the rows
 * themselves, so that created = delivered + accepted + waiting + dead + unknown + skipped holds by itself.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { type Days, dateOf, type Period, sum } from '../common/index.ts';
import type { Database, Row } from '../database/index.ts';
import type { Owner } from '../properties/index.ts';
import { groupOf, type State } from './states.ts';

export interface Sums {
  readonly destination: string;
  readonly platform: string;
  created: number;
  delivered: number;
  accepted: number;
  waiting: number;
  dead: number;
  unknown: number;
  /** By reason. */
  readonly skipped: Record<string, number>;
}

interface Received {
  /** Orders, leads and others once each, and refunds. */
  received: number;
  /** Of those. */
  refunds: number;
  matched: number;
}

export interface Accuracy {
  /** By the property's day of the conversion's reception, every one of the period, oldest first. */
  readonly days: readonly (Received & { readonly day: string; readonly destinations: readonly Sums[] })[];
  readonly totals: Received & {
    readonly destinations: readonly (Sums & {
      readonly name: string;
      readonly deleted: boolean;
      /** Accepted and delivered, of what was not skipped: decimal text; null where nothing was to be sent. */
      readonly rate: string | null;
    })[];
  };
}

type Destination = Pick<Row<'destinations'>, 'id' | 'platform' | 'name' | 'deleted_at'>;

export async function forwardingAccuracy(
  { reader }: Pick<Database, 'reader'>,
  owner: Owner,
  { from, to }: Period,
  calendar: Days,
): Promise<Accuracy> {
  const destinations = await destinationsOf(reader, owner);
  const days: Accuracy['days'][number][] = [];
  const totals = new Map(destinations.map(({ id, platform }) => [id, emptySums(id, platform)]));
  const sum: Received = { received: 0, refunds: 0, matched: 0 };
  // A day at a time: on SQLite no other query runs meanwhile.
  for (let start = from; start < to; await turn()) {
    const day = calendar.dayAt(start);
    const end = Math.min(to, calendar.startOf(day + 1));
    const received = await receivedIn(reader, owner, start, end);
    const sums = received.matched === 0 ? [] : await sumsOf(reader, owner, start, end);
    for (const one of sums) add(totals.get(one.destination), one);
    sum.received += received.received;
    sum.refunds += received.refunds;
    sum.matched += received.matched;
    days.push({ day: dateOf(day), ...received, destinations: sums });
    start = end;
  }
  return {
    days,
    totals: {
      ...sum,
      destinations: destinations.flatMap(({ id, platform, name, deleted_at }) => {
        const sums = totals.get(id) ?? emptySums(id, platform);
        const isDeleted = deleted_at !== null;
        // One that is gone and had nothing in the period is of no interest any more.
        if (isDeleted && sums.created === 0) return [];
        return [{ ...sums, name, deleted: isDeleted, rate: rateOf(sums) }];
      }),
    },
  };
}

/** Deleted ones too: what they have sent stays in the sums. A property whose owner connects and deletes all day is cut here. */
const MAX_DESTINATIONS = 1_000;

async function destinationsOf(reader: Database['reader'], owner: Owner): Promise<Destination[]> {
  return await reader
    .selectFrom('destinations')
    .select(['id', 'platform', 'name', 'deleted_at'])
    .where('attribution_id', '=', owner.id)
    .where('organization_id', '=', owner.organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MAX_DESTINATIONS)
    .execute();
}

async function receivedIn(
  reader: Database['reader'],
  owner: Owner,
  from: number,
  to: number,
): Promise<Received> {
  const rows = await reader
    .selectFrom('conversions')
    .select(({ fn }) => ['session_matched', 'topic', fn.countAll<number | string>().as('count')])
    .where('attribution_id', '=', owner.id)
    .where('organization_id', '=', owner.organizationId)
    .where('received_at', '>=', from)
    .where('received_at', '<', to)
    // An order that came as purchase and as subscription was received once. Both are sent, and are part of the destinations' sums.
    .where(({ eb, or }) => or([eb('topic', '=', 'refund'), eb('purchase_row', 'is', null)]))
    .groupBy(['session_matched', 'topic'])
    .execute();
  const counted = (of: (row: (typeof rows)[number]) => boolean): number =>
    sum(rows.filter(of), ({ count }) => Number(count));
  return {
    received: counted(() => true),
    refunds: counted(({ topic }) => topic === 'refund'),
    matched: counted(({ session_matched: matched }) => matched === 1),
  };
}

async function sumsOf(reader: Database['reader'], owner: Owner, from: number, to: number): Promise<Sums[]> {
  const rows = await reader
    .selectFrom('conversions')
    .innerJoin('deliveries', 'deliveries.conversion_row', 'conversions.id')
    .select(({ fn }) => [
      'destination_id',
      'deliveries.platform',
      'state',
      'reason',
      fn.countAll<number | string>().as('count'),
    ])
    .where('conversions.attribution_id', '=', owner.id)
    .where('conversions.organization_id', '=', owner.organizationId)
    .where('conversions.received_at', '>=', from)
    .where('conversions.received_at', '<', to)
    .groupBy(['destination_id', 'deliveries.platform', 'state', 'reason'])
    .execute();
  const sums = new Map<string, Sums>();
  for (const { destination_id: id, platform, state, reason, count } of rows) {
    const standing = sums.get(id) ?? emptySums(id, platform);
    sums.set(id, standing);
    tally(standing, state, reason, Number(count));
  }
  return [...sums.values()].sort((a, b) => (a.destination < b.destination ? -1 : 1));
}

const emptySums = (destination: string, platform: string): Sums => ({
  ...{ destination, platform, created: 0, delivered: 0, accepted: 0 },
  ...{ waiting: 0, dead: 0, unknown: 0, skipped: {} },
});

function tally(sums: Sums, state: State, reason: string | null, count: number): void {
  sums.created += count;
  const group = groupOf(state);
  if (group !== 'skipped') sums[group] += count;
  else sums.skipped[reason ?? ''] = (sums.skipped[reason ?? ''] ?? 0) + count;
}

function add(total: Sums | undefined, one: Sums): void {
  if (total === undefined) return;
  for (const name of ['created', 'delivered', 'accepted', 'waiting', 'dead', 'unknown'] as const)
    total[name] += one[name];
  for (const [reason, count] of Object.entries(one.skipped))
    total.skipped[reason] = (total.skipped[reason] ?? 0) + count;
}

const RATE_DIGITS = 4;

/** Delivered, of those that are finished: what still waits has not failed. Null: none is finished. */
export function rateOf({
  delivered,
  dead,
  unknown,
}: Pick<Sums, 'delivered' | 'dead' | 'unknown'>): string | null {
  const finished = delivered + dead + unknown;
  if (finished === 0) return null;
  // Cut, not rounded, and never to nothing: 1 is said where everything has arrived, 0 where nothing has, and nowhere else.
  const scale = 10 ** RATE_DIGITS;
  const cut = Math.floor((delivered * scale) / finished);
  return String((delivered > 0 ? Math.max(cut, 1) : 0) / scale);
}
