import type { VisitItem } from '../../api/schema.gen.ts';
import type { LiveItem } from '../../api/types.ts';
import { deviceOf } from '../../format/user-agent.ts';
import { visible } from '../../format/visible.ts';
import './visits.css';

type Referral = Pick<LiveItem, 'class' | 'referrer_engine' | 'user_agent'> &
  Partial<Pick<VisitItem, 'referral_signal' | 'referrer' | 'query_params'>>;

/** Who came, and what showed that an AI engine sent them, where that is known; nothing of other visits. */
export function ReferralWhy({ visit }: { visit: Referral }) {
  if (visit.class !== 'ai_referral') return null;
  const proof = proofOf(visit);
  return (
    <section className="why" aria-label="How the visitor came">
      <p className="why-answer">{visible(answerOf(visit))}</p>
      {proof !== null && (
        <>
          <h3>How it was identified</h3>
          <p>{visible(proof)}</p>
        </>
      )}
    </section>
  );
}

/** `A person followed a link in ChatGPT, on an iPhone.` */
function answerOf({ referrer_engine: engine, user_agent: agent }: Referral): string {
  const device = deviceOf(agent);
  return `A person followed a link in ${engine || 'an AI engine'}${device === '' ? '' : `, ${device}`}.`;
}

function proofOf({
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
