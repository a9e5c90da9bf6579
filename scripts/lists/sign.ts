/**
 * Makes and signs the list file that installations read from `LISTS_URL`.
 *
 *   node scripts/lists/sign.ts <private key, PEM> <file>     writes <file> and <file>.sig, and prints the LISTS_KEY
 *
 * A key: openssl genpkey -algorithm ed25519 -out list-key.pem
 */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { embeddedLists } from '../../packages/core/src/index.ts';

export interface SignedFile {
  readonly text: string;
  /** Base64. */
  readonly signature: string;
  /** `LISTS_KEY`: base64url. */
  readonly key: string;
}

/** @param pem an Ed25519 private key */
export function signedList(pem: string): SignedFile {
  const { version, generated_at, bot_patterns, ai_referrer_domains, ai_referrer_apps, ai_referrer_names } =
    embeddedLists();
  const list = {
    version,
    generated_at,
    bot_patterns,
    ai_referrer_domains,
    ai_referrer_apps,
    ai_referrer_names,
  };
  const text = `${JSON.stringify(list)}\n`;
  const key = createPrivateKey(pem);
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { text, signature: sign(null, Buffer.from(text), key).toString('base64'), key: x };
}

if (import.meta.main) {
  const [, , pemFile, file] = process.argv;
  if (pemFile === undefined || file === undefined)
    throw new Error('Say the private key (PEM) and the file to write.');
  const { text, signature, key } = signedList(readFileSync(pemFile, 'utf8'));
  writeFileSync(file, text);
  writeFileSync(`${file}.sig`, `${signature}\n`);
  console.log(`LISTS_KEY=${key}`);
}
