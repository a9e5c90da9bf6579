import { VERDICT_REASONS } from '@ghostlight/core';
import type { LiveItem } from '../../api/types.ts';
import { type Verdict, verdictOf } from './verdict.ts';

const MARKS: Readonly<Record<Verdict, { sign: string; word: string; why: string }>> = {
  verified: { sign: '✓', word: 'Verified', why: 'Identity confirmed' },
  spoofed: { sign: '✕', word: 'Spoofed', why: 'Uses this bot’s name, but does not come from its vendor' },
  unknown: { sign: '?', word: 'Unknown', why: 'Could not be verified or refuted' },
};

export function VerdictMark({ item }: { item: Pick<LiveItem, 'class' | 'verified' | 'verdict_reason'> }) {
  const verdict = verdictOf(item);
  if (verdict === null) return null;
  const { sign, word, why } = MARKS[verdict];
  const reason = reasonSentence(item.verdict_reason);
  return (
    <span className="verdict" data-verdict={verdict} title={reason === '' ? why : `${why}: ${reason}`}>
      <span aria-hidden="true">{sign}</span>
      {word}
    </span>
  );
}

/** The same as the cell of a table, which is never empty. */
export const VerdictCell = ({ item }: Parameters<typeof VerdictMark>[0]) =>
  verdictOf(item) === null ? (
    <span className="verdict-none" title="Only bots are checked">
      –
    </span>
  ) : (
    <VerdictMark item={item} />
  );

/**
 * Why a verdict was given, as a sentence; empty for none. An unknown reason is shown as received.
 * It is not in verdict.ts, which the first view loads.
 */
export function reasonSentence(reason: string): string {
  return reason === '' ? '' : ((VERDICT_REASONS as Readonly<Record<string, string>>)[reason] ?? reason);
}
