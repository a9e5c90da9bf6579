export { namesListedAgent } from './named-agent.ts';
export type { SignedRequest } from './signed-request.ts';
export { createSignatureVerifier, type SignatureOutcome, type SignatureVerifier } from './verifier.ts';
