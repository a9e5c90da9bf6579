import { Link } from '@tanstack/react-router';
import { DEFAULT_PERIOD, named } from '../../format/period.ts';
import { compact } from '../../format/search.ts';
import { dayLabel } from '../../format/time.ts';
import { EmptyState } from '../../parts/states.tsx';
import { useShared } from '../session/shared.ts';
import type { Envelope } from './api.ts';
import { FILTER_WORDS, type FilterName } from './search.ts';

/** The empty state of reports: no visit matches the filters, or no bot came. */
export function NoBots({
  propertyId,
  filtered,
  answer,
  spoofed = 0,
}: {
  propertyId: string;
  filtered: boolean;
  /** Says when the data begins; left out: it is known to be in the period. */
  answer?: Pick<Envelope, 'period' | 'data_since'>;
  /** Spoofed visits, which are not counted. */
  spoofed?: number;
}) {
  const shared = useShared();
  if (spoofed > 0)
    return (
      <EmptyState title="Only spoofed visits">
        Every AI bot visit {filtered ? 'that matches these filters' : 'in this period'} used a bot’s name but
        didn’t come from its vendor.
        {shared === null && ' Trust shows the sources.'}
      </EmptyState>
    );
  const since = answer?.data_since ?? null;
  if (answer !== undefined && since !== null && since > answer.period.to)
    return (
      <EmptyState
        title="No data in this period"
        action={
          <Link
            to="."
            search={(before) => compact({ ...before, ...named(DEFAULT_PERIOD) })}
            className="button"
          >
            Show the last 30 days
          </Link>
        }
      >
        Data begins on {dayLabel(since, true)}.
      </EmptyState>
    );
  return filtered || shared !== null ? (
    <EmptyState title="No visits match these filters">Clear the filters or choose another period.</EmptyState>
  ) : (
    <EmptyState
      title="No AI bot visits in this period"
      action={
        <Link to="/p/$propertyId/setup" params={{ propertyId }} className="button button-primary">
          Open Setup
        </Link>
      }
    >
      Choose another period. If you expected visits, Setup shows what arrived, and what was rejected and why.
    </EmptyState>
  );
}

/** Says which of the active filters a panel does not apply. */
export function NotFiltered({ by, what }: { by: readonly FilterName[] | undefined; what?: string }) {
  return by === undefined || by.length === 0 ? null : <p className="quiet">{notFilteredText(by, what)}</p>;
}

/** `Not filtered by bot or path.`, `Conversions are not filtered by bot.` @param what plural, at the beginning of the sentence */
export function notFilteredText(by: readonly FilterName[], what?: string): string {
  const words = [...new Set(by.map((name) => FILTER_WORDS[name]))];
  return `${what === undefined ? 'Not' : `${what} are not`} filtered by ${[...words.slice(0, -2), words.slice(-2).join(' or ')].join(', ')}.`;
}
