import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import type { OverviewAnswer } from '../../features/reports/api.ts';
import { countText, pagesText, readText, shareText } from '../../features/reports/figures.ts';
import { useHourChanges } from '../../features/reports/hours.ts';
import { notFilteredText } from '../../features/reports/NoBots.tsx';
import { ReportLink } from '../../features/reports/ReportLink.tsx';
import { ShareDelta } from '../../features/reports/ShareDelta.tsx';
import { Delta, Stat } from '../../features/reports/Stat.tsx';
import type { ReportSearch } from '../../features/reports/search.ts';
import { useReportSearch } from '../../features/reports/useReportSearch.ts';
import { VisitsLink } from '../../features/visits/VisitsLink.tsx';
import { counted } from '../../format/names.ts';
import { visible } from '../../format/visible.ts';

/** The names of the figures, in their order, each a link to its report. */
export const headlineLabels = (search: ReportSearch, of: ShareOf = shareOf(search)): readonly ReactNode[] => [
  <ReportLink key="bots" to="bots">
    AI bot visits
  </ReportLink>,
  <ReportLink key="on-demand" to="bots" narrow={{ intent: 'on_demand' }}>
    On demand
  </ReportLink>,
  <ReportLink key="referrals" to="referrals">
    AI referrals
  </ReportLink>,
  <ReportLink key="share" to="share">
    {shareLabel(of, search)}
  </ReportLink>,
  <ReportLink key="failures" to="failures">
    Failed bot visits
  </ReportLink>,
];

type ShareOf = OverviewAnswer['ai_share']['of'];

/** As the service will say it. */
const shareOf = ({ bot, vendor, intent, verified }: ReportSearch): ShareOf =>
  [bot, vendor, intent, verified].every((filter) => filter === undefined) ? 'ai_bots' : 'filtered_bots';

/** The main figures. */
export function Headline({ property, answer }: { property: Property; answer: OverviewAnswer }) {
  const { ai_bots: bots, by_intent: intents, referrals, failures, ai_share: share } = answer;
  const { referrals: apart } = answer.not_filtered;
  const address = useReportSearch();
  const { search } = address;
  const soFar = useHourChanges(property, address);
  const [botsLabel, onDemandLabel, referralsLabel, shareOfLabel, failuresLabel] = headlineLabels(
    search,
    share.of,
  );
  const onDemand = intents.find(({ intent }) => intent === 'on_demand');
  return (
    <dl className="stat-strip card" aria-label="The period at a glance">
      <Stat
        label={botsLabel}
        value={<VisitsLink>{countText(bots.hits, bots.estimated)}</VisitsLink>}
        aside={<Delta of={bots} soFar={soFar('hits')} />}
        note={
          soFar('hits')?.note ?? (
            <span title={`${readText(bots)} read`}>
              {counted(bots.bots, 'bot')} · {pagesText(bots.pages)}
            </span>
          )
        }
      />
      <Stat
        label={onDemandLabel}
        value={
          <VisitsLink narrow={{ intent: 'on_demand' }}>
            {countText(bots.on_demand, onDemand?.estimated)}
          </VisitsLink>
        }
        aside={<Delta of={onDemand} soFar={soFar('on_demand')} isFurther />}
        note={soFar('on_demand')?.note ?? 'fetched for a person'}
      />
      <Stat
        label={referralsLabel}
        value={
          <VisitsLink narrow={{ class: 'ai_referral' }}>
            {countText(referrals.visits, referrals.estimated)}
          </VisitsLink>
        }
        aside={<Delta of={referrals} more="good" isFurther />}
        note={apart === undefined ? 'people sent by AI engines' : notFilteredText(apart)}
      />
      <Stat
        label={shareOfLabel}
        value={share.share === null ? '–' : <span title={shareHint(share)}>{shareText(share.share)}</span>}
        aside={<ShareDelta property={property} answer={answer} of="pages" share={share.share} />}
        note={shareNote(share)}
      />
      <Stat
        label={failuresLabel}
        value={
          <VisitsLink narrow={{ status: 'error' }}>
            {countText(failures.failures, failures.estimated)}
          </VisitsLink>
        }
        aside={<Delta of={failures} more="bad" soFar={soFar('failures')} isFurther />}
        note={
          failures.failing_share === null || bots.hits === 0 ? (
            'no visits'
          ) : (
            <>
              {soFar('failures')?.brief ?? `${shareText(failures.failing_share)} of bot visits`} ·{' '}
              <ReportLink to="failures" className="stat-way">
                See failures
              </ReportLink>
            </>
          )
        }
      />
    </dl>
  );
}

/** With a filter on bots it is the share of those bots. */
function shareLabel(of: ShareOf, { bot, vendor }: ReportSearch): string {
  if (of === 'ai_bots') return 'AI share';
  const whose = bot ?? vendor;
  return whose === undefined ? 'These bots’ share' : `${visible(whose)}’s share`;
}

/** How sure a share is; AI share has the same in words. */
function shareHint({ denominator, low, high }: OverviewAnswer['ai_share']): string | undefined {
  if (denominator === 'counted') return 'Counted from complete logs';
  return low === null || high === null
    ? undefined
    : `95% confidence: ${shareText(low)} to ${shareText(high)}`;
}

/** An unknown share is never shown as zero; the note says why it is unknown. */
function shareNote({ state, reason, samples }: OverviewAnswer['ai_share']): string {
  if (state === 'ok') return 'of page views';
  if (state === 'too_few_samples') return `too few samples yet (${samples})`;
  if (reason === 'counted_by_host_only') return 'no data by path or country';
  if (reason === 'over_quota') return 'unknown: the quota was reached';
  return reason === 'log_push_only' ? 'no samples in logs' : 'no traffic to compare with';
}
