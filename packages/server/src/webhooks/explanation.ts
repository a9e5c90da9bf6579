/** Why a request was matched or not, and what to do about it: the details of a row of Recent Activity. */
import type { ActivityRow } from './activity.ts';
import { MATCH_REASONS, type MatchReason } from './matching.ts';

const OF_REASON: Readonly<Record<MatchReason, string>> = {
  matched:
    'The visitor came within the attribution window; the conversion is attributed to that visit’s source.',
  direct:
    'The visitor is known, but nothing brought them: no ad, link or search led to the pages that were reported. It counts as a direct visit.',
  inherited: 'A refund is attributed like its order, whatever its age.',
  late: 'The visit was recorded after the conversion had arrived, and matched then. The sender had received “session_matched”: false.',
  no_visitor_id:
    'The body had no visitor_id. Take it from the SDK on the page (getVisitorId()) and send it with the order.',
  unknown_visitor:
    'No page of the site has reported this visitor_id. Check that the SDK runs on the landing pages, that consent was given, and that the ID is passed on unchanged. Visits that arrive within an hour still count.',
  outside_lookback:
    'The visitor is known, but has no visit within the attribution window: their visits are older, or came after the conversion. The window can be set to up to 90 days.',
};
const OF_REFUND =
  'A refund is attributed like its order. Its order has not arrived yet, or has no matching visit.';
const OF_STATUS = {
  auth_error: 'The request had no valid key for this attribution ID. Requests like it are counted, not kept.',
  rate_limited: 'The key made more requests than its limit allows. The response said when to try again.',
  validation_error: 'The body could not be accepted, and nothing was stored. The response said why.',
} as const;

const OF_SHOP: Readonly<Record<keyof typeof OF_STATUS, string>> = {
  auth_error:
    'The signature does not match the secret entered here for this shop platform. Enter the platform’s secret again. Requests like it are counted, not kept.',
  rate_limited: 'The shop delivered more than its limit allows.',
  validation_error:
    'The order could not be used, and nothing of it was counted. The platform still got 200, because it stops delivering to a URL that rejects.',
};

export function explanationOf({
  status,
  shop,
  topic,
  session_matched: matched,
  match_reason: reason,
}: ActivityRow): string {
  if (status !== 'success') return (shop === null ? OF_STATUS : OF_SHOP)[status];
  if (topic === 'refund' && matched !== 1) return OF_REFUND;
  const known = MATCH_REASONS.find((candidate) => candidate === reason);
  return known === undefined ? '' : OF_REASON[known];
}
