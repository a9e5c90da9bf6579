import { Switch } from '../../parts/Switch.tsx';
import { Term } from '../glossary/Term.tsx';
import type { VisitChange } from '../visits/search.ts';
import { VisitsLink } from '../visits/VisitsLink.tsx';
import type { Envelope } from './api.ts';
import { countText } from './figures.ts';
import { useReportSearch } from './useReportSearch.ts';

interface SpoofedProps {
  answer: Pick<Envelope, 'population'>;
  /** Spoofed visits of the period, under the current filters. */
  spoofed: number;
  /** The part that is estimated from samples. */
  estimated: number | undefined;
  /** Of what: `visit`, `visits`. */
  of?: readonly [one: string, more: string];
  /** The filters of the explorer for them. */
  narrow?: VisitChange;
  /** What these visits are, where they are more than the figure. */
  about?: string | undefined;
}

/** How many spoofed visits the page leaves out, and the switch that includes them. Empty when there are none. */
export function Spoofed({
  answer,
  spoofed,
  estimated,
  of: [one, more] = ['visit', 'visits'],
  narrow = {},
  about,
}: SpoofedProps) {
  const { search } = useReportSearch();
  const included = answer.population === 'all';
  const byFilter = search.verified === 'false';
  if (spoofed === 0 && (!included || byFilter)) return null;
  const count = countText(spoofed, estimated);
  const what = Math.round(spoofed) === 1 ? one : more;
  return (
    <div className="population">
      <p>
        <span className="text-bad" aria-hidden="true">
          ✕
        </span>{' '}
        <VisitsLink narrow={{ verdict: 'spoofed', ...narrow }} of={about}>
          {count} spoofed
          <span className={one === 'visit' ? undefined : 'spoofed-what'}> {what}</span>
        </VisitsLink>
        , <Term name="spoofed">{included ? 'counted in all figures' : 'not counted'}</Term>
      </p>
      <IncludeSpoofed answer={answer} />
    </div>
  );
}

/** The switch alone, where a figure says how many they are. */
export function IncludeSpoofed({ answer }: Pick<SpoofedProps, 'answer'>) {
  const { search, change } = useReportSearch();
  // The filter selects spoofed visits: leaving them out would leave nothing.
  if (search.verified === 'false') return null;
  return (
    <Switch
      label={
        <>
          Include<span className="switch-what"> spoofed</span>
        </>
      }
      on={answer.population === 'all'}
      onSwitch={(on) => change({ include: on ? 'spoofed' : undefined, n: search.n })}
    />
  );
}
