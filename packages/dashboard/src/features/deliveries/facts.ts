/** What a picture or a file of deliveries says of them. */
import type { Property } from '../../api/types.ts';
import type { Period } from '../../format/period.ts';
import type { ChartFacts } from '../charts/facts.ts';
import { periodSentence } from '../reports/comparison.ts';

export const factsOf = ({ domain, time_zone: timeZone }: Property, period: Period): ChartFacts => ({
  subject: domain,
  period: periodSentence(period, null),
  days: { from: period.from, to: period.to },
  population: 'Deliveries, by the day on which their conversions arrived',
  timeZone,
});
