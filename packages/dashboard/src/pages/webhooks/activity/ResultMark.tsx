import { MatchMark, matchWords } from '../../../features/conversions/MatchMark.tsx';
import type { ActivityItem } from '../../../features/webhooks/api.ts';
import { StatusMark } from './StatusMark.tsx';

/** Of what was received, the match says enough; else what was wrong. */
export function ResultMark({ item }: { item: ActivityItem }) {
  return item.status === 'success' && matchWords(item) !== null ? (
    <MatchMark item={item} isAmongOthers />
  ) : (
    <StatusMark status={item.status} shop={item.shop} />
  );
}
