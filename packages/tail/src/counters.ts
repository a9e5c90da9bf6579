/** What became of the lines: the figures that both commands tell at their end. */
import { LINE_REJECTS, type LineReject } from '@ghostlight/core';

/** Why a line was not read, beside what its format says. */
export const LOCAL_REJECTS = {
  too_long: 'The line is longer than 256 KiB.',
  no_host: 'The line names no host. State it: --host shop.example',
} as const;
export type TailReject = LineReject | keyof typeof LOCAL_REJECTS;

export interface ServiceReport {
  readonly kept: number;
  readonly dropped: number;
  readonly duplicate: number;
  readonly rejected: number;
  /** Why, as far as the service names it: reason → how many. */
  readonly reasons: ReadonlyMap<string, number>;
}

export class Counters {
  lines = 0;
  /** Blank lines, comments, and lines that tell of no request. */
  passed = 0;
  /** AI visits, AI referrals and signed requests. */
  sent = 0;
  others = 0;
  readonly rejected = new Map<TailReject, number>();
  readonly service = { kept: 0, dropped: 0, duplicate: 0, rejected: 0 };
  readonly reasons = new Map<string, number>();
  /** Visits that were left out because they could not be sent: a pipe's, while the service was down. */
  lost = 0;

  reject(reason: TailReject): void {
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + 1);
  }

  get rejectedLines(): number {
    return [...this.rejected.values()].reduce((sum, count) => sum + count, 0);
  }

  report({ reasons, ...figures }: ServiceReport): void {
    for (const name of Object.keys(figures) as (keyof typeof figures)[]) this.service[name] += figures[name];
    for (const [reason, count] of reasons) this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + count);
  }
}

export const wordsFor = (reason: TailReject): string => ({ ...LINE_REJECTS, ...LOCAL_REJECTS })[reason];
