/** Who comes for the first time: bots, and engines that send people. */
import { DAY_MS } from '@ghostlight/core/time';
import { counted } from '../../common/index.ts';
import { type Finding, type OpenAlert, type Over, type Rule, report, type Snapshot, visits } from './rule.ts';

export const newBot: Rule = (snapshot, threshold) => ({
  findings: newBots(snapshot, threshold).map(([name, most]) => ({
    ...first(name, most),
    title: `New bot: ${name}`,
    text: `${visits(most)} within a day.`,
    link: report('bots', { bot: name }),
  })),
  isOver: (open) => overAfterADay(snapshot, open),
});

export const firstReferral: Rule = (snapshot, threshold) => ({
  findings: newEngines(snapshot, threshold).map(([name, most]) => ({
    ...first(name, most),
    title: `First referral from ${name}`,
    text: `${counted(most, ['referral', 'referrals'])} within a day.`,
    // Landing pages are many: the engine is seen among the engines.
    link: report('referrals', { group: 'engine' }),
  })),
  isOver: (open) => overAfterADay(snapshot, open),
});

/** With the most visits within a day. Days that were not evaluated are read here. */
export function newBots(
  { usual, recent, known }: Snapshot,
  threshold: number,
): [name: string, most: number][] {
  return unknown(
    known.bots,
    new Map([...usual.bots].map(([name, { mostInADay }]) => [name, mostInADay])),
    new Map([...recent.bots].map(([name, { day }]) => [name, day])),
    threshold,
  );
}

export function newEngines(
  { usual, recent, known }: Snapshot,
  threshold: number,
): [name: string, most: number][] {
  return unknown(known.engines, usual.engines, recent.engines, threshold);
}

function unknown(
  known: ReadonlySet<string>,
  before: ReadonlyMap<string, number>,
  today: ReadonlyMap<string, number>,
  threshold: number,
): [name: string, most: number][] {
  return (
    [...new Set([...before.keys(), ...today.keys()])]
      .filter((name) => name !== '' && !known.has(name))
      .map((name): [string, number] => [name, Math.max(before.get(name) ?? 0, today.get(name) ?? 0)])
      // A bot whose name alone was used has not come: its own first visit is still news.
      .filter(([, most]) => most > 0 && most >= threshold)
  );
}

const first = (subject: string, most: number): Pick<Finding, 'subject' | 'now' | 'usual' | 'unit'> => ({
  subject,
  now: most,
  usual: null,
  unit: 'visits',
});

/** News is in view for a day; that it is none any more is no message. */
const overAfterADay = ({ now }: Snapshot, { at }: OpenAlert): Over =>
  now - at >= DAY_MS ? 'silently' : 'no';
