import { makerAndIntent } from '../../format/names.ts';
import { CompanyMark } from '../marks/CompanyMark.tsx';
import { ReportLink } from './ReportLink.tsx';
import type { FilteredPage, ReportChange } from './search.ts';

interface BotNameProps {
  bot: string;
  vendor: string;
  intent: string;
  /** What the name opens. */
  to: FilteredPage;
  narrow: ReportChange;
}

/** A bot in a list: the mark of its vendor, its name as a link, and what it comes for. */
export function BotName({ bot, vendor, intent, to, narrow }: BotNameProps) {
  return (
    <div className="marked">
      <CompanyMark of={vendor} size={24} />
      <div>
        <ReportLink to={to} narrow={narrow}>
          {bot}
        </ReportLink>
        <span className="cell-detail">{makerAndIntent(vendor, intent)}</span>
      </div>
    </div>
  );
}
