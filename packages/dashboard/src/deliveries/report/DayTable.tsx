import { useState } from 'react';
import { dayLabel } from '../../format/day.ts';
import { type Bars, PARTS } from '../model/days.ts';
import { PART_NAMES } from './DayPanel.tsx';

/** The bars' figures for those who can't see them, and for those who want to know exactly. Empty days are left out. */
export function DayTable({ all: { step, bars } }: { all: Bars }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="day-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The bars as a table</summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="day-table-box" aria-label="Figures of the bars" tabIndex={0}>
          <table className="table" aria-label={`Per ${step}, UTC`}>
            <thead>
              <tr>
                <th scope="col">{step === 'week' ? 'Week of' : 'Day'}</th>
                {['Received', 'Matched', ...PARTS.map((part) => PART_NAMES[part])].map((name) => (
                  <th key={name} scope="col" className="cell-number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {bars
                .filter(({ received, created }) => received + created > 0)
                .map((bar) => (
                  <tr key={bar.day}>
                    <th scope="row">{dayLabel(bar.day)}</th>
                    {(['received', 'matched', ...PARTS] as const).map((name) => (
                      <td key={name} className="cell-number">
                        {bar[name].toLocaleString('en')}
                      </td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
