/** Every report, in the order of the OpenAPI document. A new one is a file of `catalog/` and a line here. */
import { aiShare } from './catalog/ai-share-report.ts';
import { blocking } from './catalog/blocking-report.ts';
import { bots } from './catalog/bots-report.ts';
import { collectors } from './catalog/collectors-report.ts';
import { failures } from './catalog/failures-report.ts';
import { filters } from './catalog/filters-report.ts';
import { funnel } from './catalog/funnel-report.ts';
import { hours } from './catalog/hours-report.ts';
import { overview } from './catalog/overview-report.ts';
import { pages } from './catalog/pages-report.ts';
import { referralHours } from './catalog/referral-hours-report.ts';
import { referrals } from './catalog/referrals-report.ts';
import { spoofSources } from './catalog/spoof-sources-report.ts';
import { trust } from './catalog/trust-report.ts';
import { unlisted } from './catalog/unlisted-report.ts';
import { unreadPages } from './catalog/unread-pages-report.ts';
import { visitHistogram } from './catalog/visit-counts-report.ts';
import { visitFilterValues } from './catalog/visit-values-report.ts';
import { visits } from './catalog/visits-report.ts';
import type { Report } from './report.ts';

export const REPORTS: readonly Report[] = [
  ...[bots, pages, unreadPages, failures, trust, spoofSources, blocking, unlisted, referrals],
  ...[overview, hours, referralHours, aiShare, funnel, collectors, filters],
  ...[visits, visitHistogram, visitFilterValues],
];
