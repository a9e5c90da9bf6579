import type { HitClass } from '../../api/types.ts';
import { CLASS_NAMES, counted } from '../../format/names.ts';
import { ClassGlyph } from './ClassGlyph.tsx';
import { MinuteBars } from './MinuteBars.tsx';
import type { LiveSummary } from './summary.ts';

/** The last thirty minutes at a glance: a count per class, and a bar per minute. Of all visits, whatever the list is filtered by. */
export function SummaryStrip({
  summary,
  filtered,
  classes,
}: {
  summary: LiveSummary | null;
  filtered: boolean;
  classes: readonly HitClass[];
}) {
  return (
    <section className="summary card" aria-label="Last 30 minutes, all visits">
      <dl className="summary-counts">
        {classes.map((hitClass) => (
          <div key={hitClass} data-class={hitClass}>
            <dt>
              <ClassGlyph hitClass={hitClass} />
              {CLASS_NAMES[hitClass]}s
            </dt>
            <dd className="number">
              {summary === null ? '–' : summary.total[hitClass].toLocaleString('en')}
              {hitClass === 'ai_bot' && summary !== null && summary.spoofed > 0 && (
                <span className="summary-note">✕ {counted(summary.spoofed, 'spoofed', 'spoofed')}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <MinuteBars minutes={summary?.minutes ?? []} filtered={filtered} />
    </section>
  );
}
