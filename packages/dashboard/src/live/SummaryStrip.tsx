import { useMemo } from 'react';
import { CLASS_NAMES, counted } from '../format/names.ts';
import type { LiveRow } from './buffer.ts';
import { ClassGlyph } from './ClassGlyph.tsx';
import { CLASSES } from './filters.ts';
import { MinuteBars } from './MinuteBars.tsx';
import { summarize } from './summary.ts';

/** The last thirty minutes at a glance: a count per class, and a bar per minute. */
export function SummaryStrip({
  rows,
  now,
  loaded,
}: {
  rows: readonly LiveRow[];
  now: number;
  loaded: boolean;
}) {
  const summary = useMemo(() => summarize(rows, now), [rows, now]);
  return (
    <section className="summary card" aria-label="Last 30 minutes">
      <dl className="summary-counts">
        {CLASSES.map((hitClass) => (
          <div key={hitClass} data-class={hitClass}>
            <dt>
              <ClassGlyph hitClass={hitClass} />
              {CLASS_NAMES[hitClass]}s
            </dt>
            <dd className="number">
              {loaded ? summary.total[hitClass].toLocaleString('en') : '–'}
              {hitClass === 'ai_bot' && summary.spoofed > 0 && (
                <span className="summary-note">✕ {counted(summary.spoofed, 'spoofed', 'spoofed')}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <MinuteBars minutes={summary.minutes} now={now} />
    </section>
  );
}
