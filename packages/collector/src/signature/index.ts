export type { SignedRequest } from './signed-request.ts';
export { namesListedAgent } from './signed-request.ts';
export { createSignatureVerifier, type SignatureOutcome, type SignatureVerifier } from './verifier.ts';
