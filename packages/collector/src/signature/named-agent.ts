/** A first look, before the response: nothing is parsed, and nothing in it is trusted yet. */
import type { CompiledLists } from '@ghostlight/core';
import { type SignedRequest, TAG } from './signed-request.ts';

const MAX_IDENTITIES = 4;

/** Does a signature header name a listed agent? Decides whether a browser-like visit is worth verifying. */
export function namesListedAgent({ url, headers }: SignedRequest, lists: CompiledLists): boolean {
  const agent = headers.get('signature-agent');
  if (agent === null || !url.startsWith('https://')) return false;
  if (headers.get('signature-input')?.includes(TAG) !== true) return false;
  let seen = 0;
  for (const [, identity] of agent.matchAll(/"(https:[^"]{1,512})"/g)) {
    if (identity !== undefined && lists.signatureAgents.find(identity) !== null) return true;
    seen++;
    if (seen === MAX_IDENTITIES) break;
  }
  return false;
}
