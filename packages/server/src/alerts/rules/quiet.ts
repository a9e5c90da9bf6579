/** Nothing at all is received any more. */

import { HOUR_MS } from '@ghostlight/core/time';
import { counted, momentInSentence } from '../../common/index.ts';
import { type Rule, report } from './rule.ts';

/** Of the 14 days before: where visits are rare, silence says nothing. */
const MIN_DAYS = 10;

export const collectorQuiet: Rule = (
  { timeZone, now, usual, recent, watchingSince, closedUntil = 0 },
  threshold,
) => {
  const last = Math.max(recent.lastReceivedAt, usual.lastReceivedAt);
  // Not what went by while this service was down itself, nor while it dropped all visits: the end of that may lie ahead.
  const hours = Math.floor((now - Math.max(last, watchingSince, closedUntil)) / HOUR_MS);
  const at = (moment: number): string => momentInSentence(timeZone, moment);
  const before =
    closedUntil > last
      ? `All visits were dropped until ${at(closedUntil)} because twice the quota was reached.`
      : `The last one was received on ${at(last)}.`;
  const isUnusual = usual.days >= MIN_DAYS && usual.silence < threshold;
  return {
    findings:
      !isUnusual || hours < threshold
        ? []
        : [
            {
              subject: '',
              title: `No data received for ${counted(hours, ['hour', 'hours'])}`,
              text: `${counted(hours, ['hour', 'hours'])} without a visit. ${usually(usual.silence)} ${before} Check that the collector is running.`,
              now: hours,
              usual: usual.silence,
              unit: 'hours',
              link: report('collectors'),
            },
          ],
    isOver: ({ at }) => (last > at ? 'yes' : 'no'),
  };
};

/** @param silence hours in a row without a visit */
const usually = (silence: number): string =>
  silence === 0
    ? 'Usually visits come every hour.'
    : `Usually the longest gap is ${counted(silence, ['hour', 'hours'])}.`;
