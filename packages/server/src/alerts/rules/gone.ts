/** A bot that came daily and comes no more. */

import { DAY_MS } from '@ghostlight/core/time';
import { count } from '../../common/index.ts';
import type { Baseline, BaselineBot } from '../baseline.ts';
import { daysBefore, type Finding, type Rule, report } from './rule.ts';

/** Of the 14 days before, all of whose visits were stored. */
const MIN_DAYS = 12;
/** If nothing at all arrived for longer, the cause is not the bot. */
const MAX_SILENCE_HOURS = 3;

export const cameDaily = ({ days }: BaselineBot): boolean => days >= MIN_DAYS;

/** @param recent of the day without the bot: its longest silence, in hours */
export const isReceiving = (
  recent: { readonly silence: number },
  usual: Pick<Baseline, 'silence'>,
): boolean => recent.silence <= Math.max(usual.silence, MAX_SILENCE_HOURS);

export const dropToZero: Rule = ({ now, usual, recent, watchingSince, closedUntil = 0 }, threshold) => {
  const isHeard =
    now - watchingSince >= DAY_MS &&
    // It may have come while all visits were dropped over the quota.
    now - closedUntil >= DAY_MS &&
    isReceiving(recent, usual);
  return {
    findings: [...usual.bots].flatMap(([bot, before]): Finding[] => {
      const { days, medianDay } = before;
      if (!isHeard || !cameDaily(before) || medianDay < threshold) return [];
      if ((recent.bots.get(bot)?.day ?? 0) > 0) return [];
      return [
        {
          subject: bot,
          title: `No visits from ${bot} for 24 hours`,
          text: `0 visits in 24 hours. Usually ${count(medianDay)} a day, on ${days === usual.wholeDays ? 'each' : days} of ${daysBefore(usual)}.`,
          now: 0,
          usual: medianDay,
          unit: 'visits',
          link: report('bots', { bot }),
        },
      ];
    }),
    isOver({ subject }) {
      if ((recent.bots.get(subject)?.day ?? 0) > 0) return 'yes';
      // Away for so long that it is usual.
      return usual.bots.has(subject)
        ? 'no'
        : { silently: `Closed after two weeks without visits, which is now usual for ${subject}.` };
    },
  };
};
