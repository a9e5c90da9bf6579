import type { StatusFilter } from '../../../features/deliveries/api.ts';
import { statusWords } from '../../../features/deliveries/messages.ts';
import { Mark } from '../../../parts/Sign.tsx';
import type { Sums } from '../model/counts.ts';

interface StatusStripProps {
  sums: Sums;
  status: StatusFilter | undefined;
  onChoose: (status: StatusFilter | undefined) => void;
}

/** What the period came to; pressing one lists it alone. */
export function StatusStrip({ sums, status, onChoose }: StatusStripProps) {
  const entries: readonly (readonly [StatusFilter, number])[] = [
    ['delivered', sums.delivered],
    ['accepted_async', sums.accepted],
    ['waiting', sums.waiting],
    ['skipped', sums.skipped],
    ['unknown', sums.unknown],
    ['dead', sums.dead],
  ];
  return (
    <ul className="status-strip" aria-label="List one state alone">
      {entries
        .filter(([name, count]) => count > 0 || name === 'delivered' || name === 'dead')
        .map(([name, count]) => (
          <li key={name}>
            <button
              type="button"
              className="status-chip"
              aria-pressed={status === name}
              onClick={() => onChoose(status === name ? undefined : name)}
            >
              <Mark tone={statusWords(name).tone} title={statusWords(name).title} />
              <span className="number">{count.toLocaleString('en')}</span>
            </button>
          </li>
        ))}
    </ul>
  );
}
