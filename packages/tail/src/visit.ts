/** What of a visit leaves this machine, by what it is. */
import { CLICK_ID_PARAMETERS, type LogRecord } from '@ghostlight/core';
import type { SentAs } from './judge.ts';

/** One line of what is posted, as the service reads it. Members that say nothing are left out. */
export type Visit = Partial<Omit<LogRecord, 'forwarded_for'>> &
  Pick<LogRecord, 'timestamp' | 'host' | 'pathname'>;

/** A crawler is no person. Of a person only what the service keeps may leave: campaign tags, click ids, where they came from. */
export function visitOf(record: LogRecord, sentAs: SentAs, ip: string, requestId: string): Visit {
  const { forwarded_for: _, ...said } = record;
  const visit = { ...said, request_id: requestId };
  if (sentAs === 'ai_referral')
    return withoutNothings({
      ...visit,
      ip: '',
      accept: '',
      pathname: withCampaignAlone(record.pathname),
      referer: originOf(record.referer),
    });
  return withoutNothings({ ...visit, ip });
}

function withoutNothings(visit: Visit): Visit {
  return Object.fromEntries(
    Object.entries(visit).filter(([, value]) => value !== '' && value !== 0),
  ) as Visit;
}

function withCampaignAlone(pathname: string): string {
  const mark = pathname.indexOf('?');
  if (mark === -1) return pathname;
  const kept = pathname
    .slice(mark + 1)
    .split('&')
    .filter((pair) => {
      const name = pair.split('=', 1)[0]?.toLowerCase() ?? '';
      return name.startsWith('utm_') || CLICK_ID_PARAMETERS.has(name);
    });
  return kept.length === 0 ? pathname.slice(0, mark) : `${pathname.slice(0, mark)}?${kept.join('&')}`;
}

/** `https://chatgpt.com/`: neither path nor query. */
function originOf(referrer: string): string {
  const url = URL.parse(referrer);
  return url === null || url.host === '' ? '' : `${url.protocol}//${url.host}/`;
}
