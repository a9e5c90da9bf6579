import { sentenceOf } from '../messages.ts';
import type { AlertRule } from '../types.ts';

/** When a rule fires, with its threshold in the middle of the sentence. */
export function RuleSentence({ rule }: { rule: AlertRule }) {
  const [before, threshold, after] = sentenceOf(rule);
  return (
    <span className="rule-sentence">
      {before}
      <strong className="number">{threshold}</strong>
      {after}
    </span>
  );
}
