import type { Period } from '../format/period.ts';

/** Says that other days are shown than the address asks for. Empty where they are the same. */
export function PeriodNotice({ period: { note } }: { period: Pick<Period, 'note'> }) {
  return note === null ? null : (
    <p className="notice period-notice" role="status">
      {note}
    </p>
  );
}
