/** Many visits that pretend to be a vendor's bot. */
import { counted } from '../../common/index.ts';
import { hasUsual, RELEASE, type Rule, report, usually } from './rule.ts';

const TIMES = 3;
const NAMED = 3;

export const spoofSurge: Rule = ({ usual, recent: { spoofed } }, threshold) => {
  const limit = Math.max(threshold, TIMES * usual.busySpoofedHour);
  const [only, ...others] = spoofed.claimed;
  return {
    findings:
      spoofed.hour < limit
        ? []
        : [
            {
              subject: '',
              title: 'Surge of spoofed visits',
              text: `${counted(spoofed.hour, ['spoofed visit', 'spoofed visits'])} in one hour, posing as ${named(spoofed.claimed)}.${hasUsual(usual) ? ` ${usually(usual.busySpoofedHour, usual, 'hours')}` : ''}`,
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

/** `GPTBot, ChatGPT-User and PerplexityBot`; of more, the first are named. */
function named(claimed: readonly string[]): string {
  const more = claimed.length - NAMED;
  const names = [...claimed.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])];
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
