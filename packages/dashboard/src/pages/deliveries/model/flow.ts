/** The funnel of conversions to one destination. */
import type { DestinationTotals } from '../../../features/deliveries/api.ts';
import { skipName } from '../../../features/deliveries/messages.ts';
import { percentOf } from '../../../features/deliveries/rate.ts';
import { sumsOf } from '../../../features/deliveries/sums.ts';
import type { DeliverySearch } from '../search.ts';
import { eligibleOf, finishedOf, reasonsOf } from './counts.ts';

/** The colour of a part; the text beside it says the same. */
export type Part =
  | 'on'
  | 'delivered'
  | 'processing'
  | 'unmatched'
  | 'skipped'
  | 'waiting'
  | 'dead'
  | 'unknown';

/** As many tones as one colour has. */
const TONES = 3;

export interface Loss {
  readonly name: string;
  readonly count: number;
  readonly part: Part;
  /** The filter of its deliveries; null: there are no deliveries. */
  readonly filter: Pick<DeliverySearch, 'status' | 'reason'> | null;
}

export interface Stage {
  readonly name: string;
  readonly count: number;
  /** What is left of this stage after its losses. */
  readonly goesOn: number;
  readonly part: Part;
  /** Percent of the previous stage: `87.7%`; null for the first, when that is zero, and when this is no part of it. */
  readonly share: string | null;
  /** An order that came as purchase and as subscription is one in the previous stage, and two in this one. */
  readonly hasTwice: boolean;
  /** Losses with their reasons, the largest first. */
  readonly losses: readonly Loss[];
}

/** Losses of one colour take turns, so that neighbours in a bar can be told apart by their tone. */
export function turnsOf(losses: readonly Loss[]): readonly (Loss & { readonly turn: number })[] {
  const had = new Map<Part, number>();
  return losses.map((loss) => {
    const turn = had.get(loss.part) ?? 0;
    had.set(loss.part, turn + 1);
    return { ...loss, turn: turn % TONES };
  });
}

/** The funnel as a table: each stage, and below it what does not go on. */
export const tableOf = (stages: readonly Stage[]) => ({
  head: ['Stage', 'Left out', 'Count', 'Of the stage before'],
  rows: stages.flatMap(({ name, count, share, losses }) => [
    [name, '', count, share ?? ''],
    ...losses.map((loss) => [name, loss.name, loss.count, '']),
  ]),
});

/** Received → matched → eligible → finished, unless that is all of them → delivered. The last share is the rate of the destination. */
export function flowOf(received: number, matched: number, totals: DestinationTotals): readonly Stage[] {
  const sums = sumsOf([totals]);
  // Matched before it was connected or after it was deleted.
  const notDue = Math.max(0, matched - sums.created);
  const eligible = Math.max(0, eligibleOf(sums));
  const finished = finishedOf(sums);
  const losses = (...all: readonly Loss[]) =>
    all.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  const top = Math.max(received, matched);
  const open = losses(
    lost('Waiting', sums.waiting, 'waiting', { status: 'waiting' }),
    lost('Processing', sums.accepted, 'processing', { status: 'accepted_async' }),
  );
  const missed = losses(
    lost('Failed', sums.dead, 'dead', { status: 'dead' }),
    lost('Unknown', sums.unknown, 'unknown', { status: 'unknown' }),
  );
  // Nothing waits: a stage of the same size would say nothing.
  const isOver = finished === eligible;
  // What was matched once is due twice to a destination if it came under two topics.
  const hasTwice = sums.created > matched;
  const due = stage(
    'Eligible',
    eligible,
    hasTwice ? null : matched,
    isOver ? sums.delivered : finished,
    'on',
    isOver ? missed : open,
  );
  return [
    stage(
      'Received',
      top,
      null,
      matched,
      'on',
      losses(lost('No matching visit', top - matched, 'unmatched', null)),
    ),
    stage(
      'Matched',
      matched,
      top,
      Math.max(0, matched - notDue - sums.skipped),
      'on',
      losses(
        lost('Not connected at the time', notDue, 'skipped', null),
        ...reasonsOf([totals]).map(([reason, count]) =>
          lost(skipName(reason), count, 'skipped', { status: 'skipped', reason }),
        ),
      ),
    ),
    { ...due, hasTwice },
    ...(isOver ? [] : [stage('Finished', finished, eligible, sums.delivered, 'on', missed)]),
    stage('Delivered', sums.delivered, finished, sums.delivered, 'delivered', []),
  ];
}

function lost(name: string, count: number, part: Part, filter: Loss['filter']): Loss {
  return { name, count, part, filter };
}

/** @param before the count that this is a part of; null: of none */
function stage(
  name: string,
  count: number,
  before: number | null,
  goesOn: number,
  part: Part,
  losses: readonly Loss[],
): Stage {
  return {
    name,
    count,
    goesOn,
    part,
    share: before === null || before === 0 ? null : percentOf(String(count / before)),
    hasTwice: false,
    losses,
  };
}
