/** Signs visits as an agent does (RFC 9421, Web Bot Auth), with a key that is made for one test. */

import type { SignatureAgent } from '@ghostlight/core';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';

export interface Signer {
  /** As the lists carry it. */
  readonly keys: SignatureAgent['keys'];
  /** The three headers of a visit to `url`, valid for five minutes. */
  headersFor(url: string): Promise<Record<string, string>>;
}

/** @param identity the `Signature-Agent` that it names */
export async function createSigner(identity = 'https://agent.example'): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const { x = '' } = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  return {
    keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid }],
    async headersFor(url) {
      const created = Math.floor(Date.now() / 1000);
      const parameters = `("@authority" "signature-agent");created=${created};expires=${created + 300};keyid="${kid}";alg="ed25519";tag="web-bot-auth"`;
      const base = [
        `"@authority": ${new URL(url).host}`,
        `"signature-agent": "${identity}"`,
        `"@signature-params": ${parameters}`,
      ].join('\n');
      const signature = await crypto.subtle.sign('Ed25519', privateKey, new TextEncoder().encode(base));
      return {
        'signature-agent': `"${identity}"`,
        'signature-input': `sig1=${parameters}`,
        signature: `sig1=:${Buffer.from(signature).toString('base64')}:`,
      };
    },
  };
}
