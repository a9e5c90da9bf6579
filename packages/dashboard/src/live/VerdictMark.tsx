import type { LiveItem } from '../api/types.ts';
import { methodName } from '../format/names.ts';
import { type Verdict, verdictOf } from './filters.ts';

const MARKS: Readonly<Record<Verdict, { sign: string; word: string; why: string }>> = {
  verified: { sign: '✓', word: 'Verified', why: 'It is who it says' },
  spoofed: { sign: '✕', word: 'Spoofed', why: 'It calls itself this bot, but does not come from its vendor' },
  unknown: { sign: '?', word: 'Unknown', why: 'The vendor publishes nothing to check against' },
};

export function VerdictMark({ item }: { item: Pick<LiveItem, 'class' | 'verified' | 'verified_by'> }) {
  const verdict = verdictOf(item);
  if (verdict === null) return null;
  const { sign, word, why } = MARKS[verdict];
  const method = verdict === 'verified' ? methodName(item.verified_by) : '';
  return (
    <span className="verdict" data-verdict={verdict} title={method === '' ? why : `${why}: ${method}`}>
      <span aria-hidden="true">{sign}</span>
      {word}
    </span>
  );
}
