import type { Property } from '../../../api/types.ts';
import type { OverviewAnswer } from '../api.ts';
import type { ReportAddress } from '../useReportSearch.ts';
import { VisitsOverTime } from '../VisitsOverTime.tsx';

interface VerdictsPanelProps {
  answer: OverviewAnswer;
  property: Property;
  address: ReportAddress;
  /** Pixels. */
  height: number;
}

/** Visits of one bot or page over time, by verdict; a bar opens its time. */
export const VerdictsPanel = (panel: VerdictsPanelProps) => (
  <VisitsOverTime label="Visits over time" suffix=", by identity" by="identity" {...panel} />
);
