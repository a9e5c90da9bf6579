import { Term } from '../../features/glossary/Term.tsx';
import { ClassGlyph } from '../../features/visits/ClassGlyph.tsx';
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
              <ClassGlyph hitClass={hitClass} />
              {TERMS[hitClass] === undefined ? (
                `${CLASS_NAMES[hitClass]}s`
              ) : (
                <Term name={TERMS[hitClass]}>{CLASS_NAMES[hitClass]}s</Term>
              )}
            </dt>
            <dd className="number">
              {summary === null ? '–' : summary.total[hitClass].toLocaleString('en')}
              {hitClass === 'ai_bot' && summary !== null && summary.spoofed > 0 && (
                <span className="summary-note" title="Among these visits">
                  {summary.spoofed.toLocaleString('en')} spoofed
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <MinuteBars minutes={summary?.minutes ?? []} filtered={filtered} />
    </section>
  );
}
