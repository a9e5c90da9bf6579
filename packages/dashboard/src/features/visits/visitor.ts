/** Names of a visit's visitor. */
import type { LiveItem } from '../../api/types.ts';

/** A short name for the visitor of a row. */
export function visitorName(item: Pick<LiveItem, 'class' | 'bot_name' | 'referrer_engine'>): string {
  switch (item.class) {
    case 'ai_bot':
      return item.bot_name || 'AI bot';
    case 'test':
      return item.bot_name || 'Test';
    case 'search_engine':
      return item.bot_name || 'Search crawler';
    case 'ai_referral':
      return `From ${item.referrer_engine || 'an AI engine'}`;
    case 'event':
      return 'Browser';
    default:
      return 'Visitor';
  }
}
