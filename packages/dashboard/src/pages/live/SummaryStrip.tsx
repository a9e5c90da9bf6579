import { Term } from '../../features/glossary/Term.tsx';
import { CLASS_NAMES } from '../../format/names.ts';
import { MinuteBars } from './MinuteBars.tsx';
import type { CountedClass } from './search.ts';
import type { LiveSummary } from './summary.ts';

/** What does not explain itself, by its heading in the glossary. */
const TERMS: Readonly<Partial<Record<CountedClass, string>>> = { sample: 'sample', event: 'browser event' };

/** The last thirty minutes: a count per class and a bar per minute, of all visits regardless of filters. */
export function SummaryStrip({
  summary,
  filtered,
  classes,
}: {
  summary: LiveSummary | null;
  filtered: boolean;
  classes: readonly CountedClass[];
}) {
  return (
    <section className="summary card" aria-label="Last 30 minutes, all visits">
      <dl className="summary-counts">
        {classes.map((hitClass) => (
          <div key={hitClass} data-class={hitClass}>
            <dt>
              <Swatch of={hitClass} />
              {TERMS[hitClass] === undefined ? (
                `${CLASS_NAMES[hitClass]}s`
              ) : (
                <Term name={TERMS[hitClass]}>{CLASS_NAMES[hitClass]}s</Term>
              )}
            </dt>
            <dd className="number">
              {summary === null ? '–' : countOf(summary, hitClass).toLocaleString('en')}
            </dd>
            {hitClass === 'ai_bot' && summary !== null && summary.spoofed > 0 && (
              <dd className="summary-note number">
                <Swatch of="spoofed" />
                {summary.spoofed.toLocaleString('en')} spoofed, not counted
              </dd>
            )}
          </div>
        ))}
      </dl>
      <MinuteBars minutes={summary?.minutes ?? []} filtered={filtered} />
    </section>
  );
}

/** The spoofed ones of the bots are drawn and counted apart. */
const countOf = ({ total, spoofed }: LiveSummary, hitClass: CountedClass): number =>
  total[hitClass] - (hitClass === 'ai_bot' ? spoofed : 0);

/** As the bars are drawn. */
function Swatch({ of }: { of: CountedClass | 'spoofed' }) {
  return (
    <svg className="swatch" width="9" height="9" viewBox="0 0 9 9" aria-hidden="true">
      <rect data-class={of} width="9" height="9" rx="2" />
    </svg>
  );
}
