import type { LiveItem } from '../../api/types.ts';

/** Who a row is about, in a word or two. */
export function visitorName(item: LiveItem): string {
  switch (item.class) {
    case 'ai_bot':
      return item.bot_name || 'AI bot';
    case 'search_engine':
      return item.bot_name || 'Search crawler';
    case 'ai_referral':
      return `From ${item.referrer_engine || 'an AI engine'}`;
    case 'event':
      return item.event_name || 'Browser event';
    default:
      return 'Visitor';
  }
}
