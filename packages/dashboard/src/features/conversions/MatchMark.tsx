import { Mark } from '../../parts/Mark.tsx';
import { type Matched, matchWords } from './match-words.ts';

export function MatchMark({ item }: { item: Matched }) {
  const words = matchWords(item);
  return words === null ? <span className="quiet">–</span> : <Mark {...words} />;
}
