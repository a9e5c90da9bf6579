/** How much of the day's quota is used: a warning, and an alert of its own when it is reached. */
import { count, percent } from '../../common/index.ts';
import type { Finding, Rule } from './rule.ts';

const REACHED = 'reached';

export const quota: Rule = ({ quota: standing = null }, threshold) => {
  const { used, limit, of } = standing ?? { used: 0, limit: 1, of: 'property' };
  const share = used / limit;
  const whose = of === 'organization' ? 'All properties of the organization have' : 'The property has';
  const sentence = `${whose} stored ${count(used)} of the ${count(limit)} visits that the operator allows per day.`;
  const finding = (subject: string, title: string, text: string): Finding => ({
    ...{ subject, title, text, now: share, usual: null, unit: 'share', link: '/settings?view=data' },
  });
  return {
    findings: [
      ...(share >= threshold / 100
        ? [
            finding(
              '',
              `${percent(share)} of the quota used`,
              `${sentence} When it is reached, samples are no longer stored; at twice the quota, no visits are.`,
            ),
          ]
        : []),
      ...(share >= 1
        ? [
            finding(
              REACHED,
              'Quota reached',
              `${sentence} Samples are dropped until the end of the day${share >= 2 ? ', and so are all other visits' : '; AI visits are stored up to twice the quota'}.`,
            ),
          ]
        : []),
    ],
    isOver: ({ subject }) => (share < (subject === REACHED ? 1 : threshold / 100) ? 'yes' : 'no'),
  };
};
