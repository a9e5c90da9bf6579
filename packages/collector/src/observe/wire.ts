/** What of a visit leaves the zone, by its class. */
import { parseReferrer, referralQuery, truncateIp } from '@ghostlight/core';
import type { LogObject } from '../forward/index.ts';
import type { Forwarding } from '../settings/index.ts';
import { WORKER_VERSION } from '../version.ts';
import type { BotProof, Judgement } from './judgement.ts';
import { parseQuery } from './text.ts';
import type { Visit } from './visit.ts';

/** How a visit ended. */
export interface Ending {
  readonly status: number;
  readonly bytes: number;
}

/** The members that depend on the class. */
type Disclosure = Pick<LogObject, 'query_params' | 'ip' | 'referer'>;

/** @returns the log object, its members in the order of the table in docs/sending-data.md */
export function logObject(visit: Visit, judgement: Judgement, ending: Ending, to: Forwarding): LogObject {
  const { query_params, ip, referer } = disclosure(visit, judgement.class);
  const proof = judgement.class === 'ai_bot' ? judgement.proof : null;
  return {
    timestamp: visit.at,
    worker_version: WORKER_VERSION,
    attribution_id: to.attributionId,
    host: visit.host,
    method: visit.method,
    pathname: visit.path,
    query_params,
    ip,
    user_agent: visit.userAgent,
    referer,
    status: ending.status,
    bytes: ending.bytes,
    country: visit.country,
    asn: visit.asn,
    ...(proof === null ? {} : verdictOf(proof)),
    ...(judgement.class === 'other' ? { sample_rate: to.sampleRate } : {}),
    ray_id: visit.rayId,
    ...(proof?.signer ? { signature_agent: proof.signer } : {}),
    ...(proof?.unchecked === true ? { unchecked: true } : {}),
    ...(proof?.rangesAsOf ? { ranges_as_of: proof.rangesAsOf } : {}),
  };
}

const verdictOf = ({ verified, by }: BotProof): Pick<LogObject, 'verified' | 'verified_by'> =>
  by === null ? { verified } : { verified, verified_by: by };

/** A crawler is no person. Of a person only what the service keeps may leave: campaign tags, click ids, where they came from. */
export function disclosure(visit: Visit, of: Judgement['class']): Disclosure {
  const query = parseQuery(visit.search);
  switch (of) {
    case 'ai_bot':
      return { query_params: Object.fromEntries(query), ip: null, referer: visit.referrer };
    case 'ai_referral':
      return { query_params: referralQuery(query), ip: null, referer: originOf(visit.referrer) };
    case 'other':
      return {
        query_params: {},
        ip: visit.ip === null ? null : truncateIp(visit.ip),
        // Of what is no URL nothing: sent bare, the service would read it as the host of one.
        referer: parseReferrer(visit.referrer)?.host ?? '',
      };
  }
}

/** `https://chatgpt.com/`, `android-app://com.openai.chatgpt/`: neither path nor query, nor who was logged in. */
function originOf(referrer: string): string {
  const url = URL.parse(referrer);
  return url === null || url.host === '' ? '' : `${url.protocol}//${url.host}/`;
}
