import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../parts/states.tsx';
import { FILTER_WORDS, type FilterName } from './search.ts';

/** Nothing to report: because of the filters, or because no bot came. */
export function NoBots({
  propertyId,
  filtered,
  spoofed = 0,
}: {
  propertyId: string;
  filtered: boolean;
  /** Visits that came and are not counted. */
  spoofed?: number;
}) {
  if (spoofed > 0)
    return (
      <EmptyState title="Only spoofed visits came">
        Each visit in this period used the name of a bot and came from elsewhere. Trust shows from where.
      </EmptyState>
    );
  return filtered ? (
    <EmptyState title="No visit passes these filters">
      Bots may have come in this period, but none that is like this. Clear the filters, or choose other days.
    </EmptyState>
  ) : (
    <EmptyState
      title="No AI bot was here in this period"
      action={
        <Link to="/p/$propertyId/setup" params={{ propertyId }} className="button button-primary">
          Open Set-up
        </Link>
      }
    >
      Choose a longer period. If you expected visits, Set-up shows what arrives and what was refused, and why.
    </EmptyState>
  );
}

/** Says in one short sentence which of the chosen filters a panel does not follow. */
export function NotFiltered({ by }: { by: readonly FilterName[] | undefined }) {
  return by === undefined || by.length === 0 ? null : <p className="quiet">{notFilteredText(by)}</p>;
}

/** `Not filtered by bot or path.` */
export function notFilteredText(by: readonly FilterName[]): string {
  const words = [...new Set(by.map((name) => FILTER_WORDS[name]))];
  return `Not filtered by ${[...words.slice(0, -2), words.slice(-2).join(' or ')].join(', ')}.`;
}
