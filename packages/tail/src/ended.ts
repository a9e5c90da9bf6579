/** How a command ended: in words for the operator, and with `--json` for scripts. */
import { type Counters, wordsFor } from './counters.ts';
import { closing } from './messages.ts';
import type { Surroundings } from './surroundings.ts';

export interface Ended {
  /** 0 done, 1 fault, 3 done with lines or visits that were not taken. */
  readonly exitCode: number;
  readonly figures: Figures;
}

/** What `--json` prints. */
export interface Figures {
  readonly lines: number;
  readonly ai_visits: number;
  readonly other_requests: number;
  readonly lines_without_request: number;
  /** Lines that could not be read, by the reason in words. */
  readonly lines_not_read: Readonly<Record<string, number>>;
  /** Visits that could not be sent. */
  readonly left_out: number;
  /** What the service did with the visits; null: none was sent. */
  readonly service: {
    readonly kept: number;
    readonly duplicate: number;
    readonly dropped: number;
    readonly rejected: number;
    readonly reasons: Readonly<Record<string, number>>;
  } | null;
}

/** For the help. */
export const FIGURES = '{"lines", "ai_visits", "other_requests", "lines_not_read", "service", …}';

/** @param isSent whether anything was sent, or could have been */
export const figuresOf = (counters: Counters, isSent: boolean): Figures => ({
  lines: counters.lines,
  ai_visits: counters.sent,
  other_requests: counters.others,
  lines_without_request: counters.passed,
  lines_not_read: Object.fromEntries(
    [...counters.rejected].map(([reason, count]) => [wordsFor(reason), count]),
  ),
  left_out: counters.lost,
  service: isSent ? { ...counters.service, reasons: Object.fromEntries(counters.reasons) } : null,
});

/** Tells the operator. @param code where nothing was left behind */
export function endOf(
  counters: Counters,
  { dryRun }: { readonly dryRun: boolean },
  { error }: Pick<Surroundings, 'error'>,
  code = 0,
): Ended {
  error(closing(counters, dryRun));
  const isWhole = counters.rejectedLines + counters.service.rejected === 0;
  return { exitCode: code === 0 && !isWhole ? 3 : code, figures: figuresOf(counters, !dryRun) };
}
