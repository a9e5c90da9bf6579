import { Switch } from '../../parts/Switch.tsx';
import type { Envelope } from './api.ts';
import { countText } from './figures.ts';
import { useReportSearch } from './useReportSearch.ts';

interface SpoofedProps {
  answer: Pick<Envelope, 'population'>;
  /** Visits under a stolen name, of the period and under its filters. */
  spoofed: number;
  /** What of them stands on samples. */
  estimated: number | undefined;
  /** Of what: `visit`, `visits`. */
  of?: readonly [one: string, more: string];
}

/** How many visits the figures of a page leave out, and the switch that takes them in. Nothing where none came. */
export function Spoofed({ answer, spoofed, estimated, of: [one, more] = ['visit', 'visits'] }: SpoofedProps) {
  const { search, change } = useReportSearch();
  const included = answer.population === 'all';
  // The filter asks for them by name: without them nothing would be left.
  const byFilter = search.verified === 'false';
  if (spoofed === 0 && (!included || byFilter)) return null;
  const count = `${countText(spoofed, estimated)} spoofed ${Math.round(spoofed) === 1 ? one : more}`;
  return (
    <div className="population">
      <p>
        <span className="text-bad" aria-hidden="true">
          ✕
        </span>{' '}
        {count}, {included ? 'counted in all figures' : 'not counted'}
      </p>
      {!byFilter && (
        <Switch
          label="Include spoofed"
          on={included}
          onSwitch={(on) => change({ include: on ? 'spoofed' : undefined, n: search.n })}
        />
      )}
    </div>
  );
}
