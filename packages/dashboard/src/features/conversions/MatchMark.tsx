import { Mark } from '../../parts/Mark.tsx';
import type { ActivityItem } from '../webhooks/types.ts';
import { matchWords } from '../../pages/webhooks/activity/messages.ts';

export function MatchMark({ item }: { item: Pick<ActivityItem, 'session_matched' | 'match_reason'> }) {
  const words = matchWords(item);
  return words === null ? <span className="quiet">–</span> : <Mark {...words} />;
}
