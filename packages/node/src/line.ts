/** What of a visit leaves the application, by what it is: one line, in the form of `ghostlight-tail`. */
import { isProxy } from '@ghostlight/core';
import { type BotProof, disclosure, type Judgement, type Visit } from '../../collector/src/observe/parts.ts';
import { VERSION } from './version.ts';

/** How a visit ended. What is not known is not said: 0 would be a claim. */
export interface Ending {
  readonly status: number | undefined;
  readonly bytes: number | undefined;
}

/** @param sampleRate the share that a sample stands for */
export function lineOf(
  visit: Visit,
  judgement: Judgement,
  { status, bytes }: Ending,
  sampleRate: number,
): Readonly<Record<string, unknown>> {
  const { query_params: query, ip, referer } = disclosure(visit, judgement.class);
  const search = new URLSearchParams(query).toString();
  const said = {
    timestamp: visit.at,
    worker_version: VERSION,
    host: visit.host,
    method: visit.method,
    pathname: search === '' ? visit.path : `${visit.path}?${search}`,
    ip: ip ?? '',
    user_agent: visit.userAgent,
    referer,
    status,
    bytes,
    request_id: visit.rayId,
    ...(judgement.class === 'ai_bot' ? verdictOf(judgement.proof, visit.ip) : {}),
    ...(judgement.class === 'other' ? { sample_rate: sampleRate } : {}),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== '' && value !== undefined));
}

/**
 * A check that had no client's address says nothing, so it is not mentioned: the service then names what was missing. The address of a
 * proxy is no visitor's, and shows that `trustProxy` is wrong.
 */
function verdictOf(proof: BotProof, ip: string | null): Readonly<Record<string, unknown>> {
  const { verified, by, signer, unchecked, rangesAsOf } = proof;
  if (!verified && ip === null) return {};
  if (!verified && ip !== null && isProxy(ip)) return { ip };
  return {
    verified,
    verified_by: by ?? '',
    ...(unchecked ? { unchecked } : {}),
    ranges_as_of: rangesAsOf,
    signature_agent: signer ?? '',
  };
}
