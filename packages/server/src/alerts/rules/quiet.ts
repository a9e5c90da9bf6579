/** Nothing at all is received any more. */

import { HOUR_MS } from '@ghostlight/core/time';
import { momentIn } from '../../common/index.ts';
import { type Rule, report } from './rule.ts';

/** Of the 14 days before: where visits are rare, silence says nothing. */
const MIN_DAYS = 10;

export const collectorQuiet: Rule = ({ timeZone, now, usual, recent, watchingSince }, threshold) => {
  const last = Math.max(recent.lastReceivedAt, usual.lastReceivedAt);
  // Not what went by while this service was down itself.
  const hours = Math.floor((now - Math.max(last, watchingSince)) / HOUR_MS);
  const isUnusual = usual.days >= MIN_DAYS && usual.silence < threshold;
  return {
    findings:
      !isUnusual || hours < threshold
        ? []
        : [
            {
              subject: '',
              title: `Nothing has been received for ${hours} ${hours === 1 ? 'hour' : 'hours'}`,
              text: `The last visit was received on ${momentIn(timeZone, last).replace(' ', ' at ')}. ${usual.silence === 0 ? 'In the two weeks before, visits came every hour, with one silence at most' : `In the two weeks before, all silences but one were ${usual.silence} ${usual.silence === 1 ? 'hour' : 'hours'} or shorter`}: look whether the collector still runs.`,
              now: hours,
              usual: usual.silence,
              unit: 'hours',
              link: report('collectors'),
            },
          ],
    isOver: ({ at }) => (last > at ? 'yes' : 'no'),
  };
};
