import type { VisitItem } from '../../api/schema.gen.ts';
import type { LiveItem } from '../../api/types.ts';
import { visible } from '../../format/visible.ts';
import './visits.css';

type Referral = Pick<LiveItem, 'class' | 'referrer_engine'> &
  Partial<Pick<VisitItem, 'referral_signal' | 'referrer' | 'query_params'>>;

/** What showed that an AI engine sent this visit; nothing of other visits, and where it is not known. */
export function ReferralWhy({ visit }: { visit: Referral }) {
  const sentence = visit.class === 'ai_referral' ? sentenceOf(visit) : null;
  return sentence === null ? null : (
    <section className="why" aria-label="How it was identified">
      <h3>How it was identified</h3>
      <p>{visible(sentence)}</p>
    </section>
  );
}

function sentenceOf({
  referrer_engine: engine,
  referral_signal: signal,
  referrer = '',
  query_params: query = {},
}: Referral): string | null {
  switch (signal) {
    case 'referrer':
      return `The Referer header names ${referrer === '' ? 'an address' : referrer}, which belongs to ${engine}.`;
    case 'app':
      return `The Referer header names ${engine}’s app.`;
    case 'utm_source':
      return `The link has utm_source${query['utm_source'] === undefined ? '' : `=${query['utm_source']}`}, which ${engine} adds. The Referer header names no engine.`;
    default:
      return null;
  }
}
