import { useQuery } from '@tanstack/react-query';
import type { Property } from '../../api/types.ts';
import { FirstSteps, useFirstStepsKnown } from '../../features/onboarding/FirstSteps.tsx';
import { OfProperty } from '../../features/property/OfProperty.tsx';
import { QuotaNotice } from '../../features/property/QuotaNotice.tsx';
import { reportQuery } from '../../features/reports/api.ts';
import { NoBots } from '../../features/reports/NoBots.tsx';
import { FailuresPanel } from '../../features/reports/overview/FailuresPanel.tsx';
import { PagesPanel } from '../../features/reports/overview/PagesPanel.tsx';
import { TrustPanel } from '../../features/reports/overview/TrustPanel.tsx';
import { ReportFrame } from '../../features/reports/ReportFrame.tsx';
import { Spoofed } from '../../features/reports/Spoofed.tsx';
import { isFiltered } from '../../features/reports/search.ts';
import { useReportSearch } from '../../features/reports/useReportSearch.ts';
import { overTime, VisitsOverTime } from '../../features/reports/VisitsOverTime.tsx';
import { BackPanel } from './BackPanel.tsx';
import { BotsPanel } from './BotsPanel.tsx';
import { Headline, headlineLabels } from './Headline.tsx';

/** What is counted, and how it is told apart. */
const CHART = ['AI bot visits', ', by intent'] as const;
const CHART_HEIGHT = 210;

/** The first page: bots, intents, verification, failures and referrals in short. */
export function OverviewPage() {
  return <OfProperty view={View} />;
}

const aboutOf = ({ domain }: Property) =>
  `Which AI bots read ${domain} and why, and the people whom AI engines referred.`;

function View({ property }: { property: Property }) {
  const address = useReportSearch();
  const { search, compared } = address;
  const isKnown = useFirstStepsKnown(property);
  const report = useQuery(reportQuery(property.id, 'overview', compared));
  return (
    <ReportFrame
      title="Overview"
      about={aboutOf(property)}
      property={property}
      address={address}
      report={report}
      offers={[]}
      byHour
      isHeld={!isKnown}
      outline={{
        figures: headlineLabels(search),
        panels: [
          { title: overTime(address, ...CHART), chart: CHART_HEIGHT },
          [
            ...['Top bots', 'Top pages', 'Fix these first', 'AI referrals'].map((title) => ({ title })),
            { title: 'Verification', rows: 3, isAcross: true },
          ],
        ],
      }}
    >
      {(answer) =>
        answer.ai_bots.hits === 0 && answer.referrals.visits === 0 ? (
          <>
            <FirstSteps property={property} />
            <QuotaNotice propertyId={property.id} />
            <Spoofed
              answer={answer}
              spoofed={answer.headline.spoofed}
              estimated={answer.headline.estimates['spoofed']}
            />
            <NoBots
              propertyId={property.id}
              filtered={isFiltered(search)}
              answer={answer}
              spoofed={answer.headline.spoofed}
            />
          </>
        ) : (
          <>
            <FirstSteps property={property} folds at="start" />
            <QuotaNotice propertyId={property.id} />
            <Headline property={property} answer={answer} />
            <Spoofed
              answer={answer}
              spoofed={answer.headline.spoofed}
              estimated={answer.headline.estimates['spoofed']}
            />
            <VisitsOverTime
              label="AI bot visits over time"
              what={CHART[0]}
              suffix={CHART[1]}
              by="intent"
              {...{ property, address, answer }}
              height={CHART_HEIGHT}
            />
            <div className="report-columns">
              <BotsPanel answer={answer} />
              <PagesPanel answer={answer} />
              <FailuresPanel answer={answer} />
              <BackPanel answer={answer} property={property} />
              <TrustPanel answer={answer} />
            </div>
            <FirstSteps property={property} folds at="end" />
          </>
        )
      }
    </ReportFrame>
  );
}
