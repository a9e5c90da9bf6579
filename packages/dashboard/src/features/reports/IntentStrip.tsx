import type { Property } from '../../api/types.ts';
import { counted, intentName } from '../../format/names.ts';
import { Swatch } from '../charts/Legend.tsx';
import { VisitsLink } from '../visits/VisitsLink.tsx';
import type { IntentTotal, ReportAnswer } from './api.ts';
import { countText, shareText } from './figures.ts';
import { useHourChanges } from './hours.ts';
import { Delta, Stat } from './Stat.tsx';
import type { ReportAddress } from './useReportSearch.ts';

/** What each intent means for the site. */
const MEANINGS: Readonly<Record<IntentTotal['intent'], string>> = {
  on_demand: 'answers a person',
  search: 'builds an index',
  training: 'trains models',
  other: 'other purposes',
};
const ORDER = ['training', 'search', 'on_demand', 'other'] as const;

const labelOf = (intent: IntentTotal['intent'], hasSwatch = true) => (
  <span className="stat-label">
    {hasSwatch && <Swatch paint={intent} />}
    {intentName(intent)}
  </span>
);

const ALL = <span className="stat-label">All bots</span>;

/** What every strip has; other purposes only where there are some. */
export const INTENT_LABELS = [
  ALL,
  ...(['training', 'search', 'on_demand'] as const).map((intent) => labelOf(intent)),
];

interface IntentStripProps {
  /** Of every intent. */
  all: ReportAnswer<'bots'>['totals'];
  totals: readonly IntentTotal[];
  /** What the list below tells apart. */
  by?: 'bot' | 'vendor';
  /** Whether the chart beside it has these colours. */
  isKey?: boolean;
  property: Property;
  address: ReportAddress;
}

/** All visits and those of each intent, in the order of the chart's legend. */
export function IntentStrip({ all, totals, by = 'bot', isKey = true, property, address }: IntentStripProps) {
  const soFar = useHourChanges(property, address);
  const ordered = ORDER.flatMap((intent) => totals.filter((total) => total.intent === intent));
  return (
    <dl className="stat-strip card" aria-label="Visits by intent">
      <Stat
        label={ALL}
        value={<VisitsLink>{countText(all.hits, all.estimated)}</VisitsLink>}
        aside={<Delta of={all} soFar={soFar('hits')} />}
        note={
          soFar('hits')?.note ??
          `visits by ${by === 'bot' ? counted(all.bots, 'bot') : counted(all.vendors, 'vendor')}`
        }
      />
      {ordered
        .filter(({ intent, hits }) => intent !== 'other' || hits > 0)
        .map(({ intent, hits, estimated, ...changed }) => (
          <Stat
            key={intent}
            label={labelOf(intent, isKey)}
            value={<VisitsLink narrow={{ intent }}>{countText(hits, estimated)}</VisitsLink>}
            aside={<Delta of={{ ...changed, estimated }} soFar={soFar(intent)} />}
            note={
              soFar(intent)?.note ??
              `${all.hits > 0 ? `${shareText(hits / all.hits)} · ` : ''}${MEANINGS[intent]}`
            }
          />
        ))}
    </dl>
  );
}
