/** What the statuses and reasons of a request mean. */
import type { Tone } from '../../../parts/Sign.tsx';
import type { ActivityItem } from '../../../features/webhooks/types.ts';

export interface Words {
  readonly tone: Tone;
  readonly title: string;
}

const STATUSES: Readonly<Record<string, Words>> = {
  success: { tone: 'good', title: 'Received' },
  auth_error: { tone: 'bad', title: 'Key refused' },
  validation_error: { tone: 'bad', title: 'Body refused' },
  rate_limited: { tone: 'wait', title: 'Rate limited' },
};

const REASONS: Readonly<Record<string, Words>> = {
  matched: { tone: 'good', title: 'Matched' },
  inherited: { tone: 'good', title: 'Matched through its order' },
  late: { tone: 'good', title: 'Matched late' },
  direct: { tone: 'good', title: 'Matched, direct visit' },
  no_visitor_id: { tone: 'unknown', title: 'No visitor id' },
  unknown_visitor: { tone: 'unknown', title: 'Unknown visitor' },
  outside_lookback: { tone: 'unknown', title: 'Outside the look-back' },
};

/** What a newer service may know and this page doesn't is shown as it came. */
function asItCame(name: string): Words {
  return { tone: 'unknown', title: name.replaceAll('_', ' ') };
}

export function statusWords(status: string): Words {
  return STATUSES[status] ?? asItCame(status);
}

/** Null: there was nothing to match. */
export function matchWords({
  session_matched,
  match_reason,
}: Pick<ActivityItem, 'session_matched' | 'match_reason'>): Words | null {
  if (match_reason !== null && match_reason !== '') {
    const words = REASONS[match_reason] ?? asItCame(match_reason);
    return REASONS[match_reason] === undefined && session_matched ? { ...words, tone: 'good' } : words;
  }
  return session_matched ? { tone: 'good', title: 'Matched' } : null;
}
