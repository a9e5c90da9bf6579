/** Many visits that pretend to be a vendor's bot. */
import { counted } from '../../common/index.ts';
import { allHours, atMost, hasUsual, RELEASE, type Rule, report } from './rule.ts';

const TIMES = 3;
const NAMED = 3;

export const spoofSurge: Rule = ({ usual, recent: { spoofed } }, threshold) => {
  const limit = Math.max(threshold, TIMES * usual.busySpoofedHour);
  const [only, ...others] = spoofed.claimed;
  const [more, names] = [spoofed.claimed.length - NAMED, spoofed.claimed.slice(0, NAMED).join(', ')];
  return {
    findings:
      spoofed.hour < limit
        ? []
        : [
            {
              subject: '',
              title: 'Surge of spoofed visits',
              text: `${counted(spoofed.hour, ['spoofed visit', 'spoofed visits'])} within an hour, as ${names}${more > 0 ? ` and ${more} more` : ''}${hasUsual(usual) ? `; ${allHours(usual)} there were ${atMost(usual.busySpoofedHour)}` : ''}.`,
              now: spoofed.hour,
              usual: hasUsual(usual) ? usual.busySpoofedHour : null,
              unit: 'visits',
              // Pages that are opened from there count the spoofed visits, too.
              link: report('trust', {
                ...(only === undefined || others.length > 0 ? {} : { bot: only }),
                include: 'spoofed',
              }),
            },
          ],
    isOver: () => (spoofed.hour < limit * RELEASE ? 'yes' : 'no'),
  };
};
