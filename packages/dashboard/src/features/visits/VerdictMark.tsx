import type { LiveItem } from '../../api/types.ts';
import { reasonSentence } from './reason.ts';
import { type Verdict, verdictOf } from './verdict.ts';

const MARKS: Readonly<Record<Verdict, { sign: string; word: string; why: string }>> = {
  verified: { sign: '✓', word: 'Verified', why: 'It is who it says' },
  spoofed: { sign: '✕', word: 'Spoofed', why: 'It calls itself this bot, but does not come from its vendor' },
  unknown: { sign: '?', word: 'Unknown', why: 'There was nothing to prove or refute it with' },
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
