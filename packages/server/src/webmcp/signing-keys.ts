/** The signing key of a property: made, encrypted at rest, opened for one signature. */
import {
  generateSigningKey,
  importSigningKey,
  type ManifestBody,
  type PrivateJwk,
  signManifest,
} from '@ghostlight/core';
import { ServiceError } from '../common/index.ts';
import type { Database, NewRow, Row, SecretCipher } from '../database/index.ts';
import { DecryptError } from '../database/index.ts';

export type KeyRow = Row<'webmcp_keys'>;

const purpose = (attributionId: string): string => `webmcp:${attributionId}`;

/** A new key as its row; it signs nothing before the row is stored. */
export async function newKey(
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  cipher: SecretCipher,
  at: number,
): Promise<KeyRow> {
  const { privateJwk, publicJwk, kid } = await generateSigningKey();
  return {
    attribution_id: id,
    organization_id: organizationId,
    kid,
    public_jwk: JSON.stringify(publicJwk),
    private_jwk: cipher.encrypt(JSON.stringify(privateJwk), purpose(id)),
    created_at: at,
  } satisfies NewRow<'webmcp_keys'>;
}

/** @returns the signed document. @throws ServiceError `conflict` when the key can't be opened */
export async function signWith(
  key: KeyRow,
  body: ManifestBody,
  jku: string,
  cipher: SecretCipher,
): Promise<string> {
  const privateKey = await importSigningKey(JSON.parse(open(key, cipher)) as PrivateJwk);
  return await signManifest(body, { privateKey, kid: key.kid, jku });
}

function open(key: KeyRow, cipher: SecretCipher): string {
  try {
    return cipher.decrypt(key.private_jwk, purpose(key.attribution_id));
  } catch (error) {
    if (!(error instanceof DecryptError)) throw error;
    throw new ServiceError(
      'conflict',
      `The signing key of this property can't be opened. ${error.message} Or rotate its keys, which makes a new one.`,
      { cause: error },
    );
  }
}

/** Re-encrypts what is still encrypted with SECRET_KEY_PREVIOUS, so that the old secret can be dropped. */
export async function rotateSecrets(database: Database, key: KeyRow, cipher: SecretCipher): Promise<void> {
  if (!cipher.isStale(key.private_jwk)) return;
  const sealed = cipher.encrypt(open(key, cipher), purpose(key.attribution_id));
  await database.kysely
    .updateTable('webmcp_keys')
    .set({ private_jwk: sealed })
    .where('attribution_id', '=', key.attribution_id)
    .where('organization_id', '=', key.organization_id)
    // Another node may have done it, or rotated the key.
    .where('private_jwk', '=', key.private_jwk)
    .execute();
}
