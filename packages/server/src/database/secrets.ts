/**
 * Encrypting stored credentials: AES-256-GCM under a key derived from SECRET_KEY. An encrypted value names its key, so that a rotated secret
 * (SECRET_KEY_PREVIOUS) can still be opened, and its purpose is authenticated, so that one value can't be moved to another's place.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Database } from './database.ts';

const FORMAT = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CANARY = 'canary';
const CANARY_TEXT = 'ghostlight';

/** An encrypted value that no available key decrypts. The message says which setting to look at, never the value. */
export class DecryptError extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'DecryptError';
  }
}

export interface SecretCipher {
  /** @param purpose what the value is for (`webmcp:<id>`); must be the same at `open`. @returns `v1.<key id>.<base64url>` */
  encrypt(plain: string, purpose: string): string;
  /** @throws DecryptError when it was encrypted under another key, for another purpose, or has been altered */
  decrypt(encrypted: string, purpose: string): string;
  /** Whether the value is encrypted with SECRET_KEY_PREVIOUS and should be re-encrypted. */
  isStale(encrypted: string): boolean;
}

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

/** @param secret SECRET_KEY. @param previous SECRET_KEY_PREVIOUS while a rotation is under way */
export function createSecretCipher(secret: string, previous: string | null = null): SecretCipher {
  const current = derive(secret);
  const keys = new Map(
    [previous, secret].filter((text) => text !== null).map((text) => [derive(text).id, derive(text)]),
  );

  return {
    encrypt(plain, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.bytes, nonce).setAAD(aad(current, purpose));
      const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${FORMAT}.${current.id}.${body.toString('base64url')}`;
    },
    decrypt(encrypted, purpose) {
      const [format, id = '', text = ''] = encrypted.split('.');
      const key = keys.get(id);
      if (format !== FORMAT || key === undefined) {
        throw new DecryptError(
          'A stored secret was encrypted under another SECRET_KEY; give that one as SECRET_KEY_PREVIOUS and start again.',
        );
      }
      const body = Buffer.from(text, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key.bytes, body.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        })
          .setAAD(aad(key, purpose))
          .setAuthTag(body.subarray(-TAG_BYTES));
        const plain = decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([plain, decipher.final()]).toString('utf8');
      } catch (error) {
        throw new DecryptError('A stored secret was altered or belongs elsewhere; enter it again.', {
          cause: error,
        });
      }
    },
    isStale: (encrypted) => encrypted.split('.')[1] !== current.id,
  };
}

function derive(secret: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret, 'ghostlight', 'seal:v1', 32));
  return { bytes, id: createHash('sha256').update('id:').update(bytes).digest('hex').slice(0, 12) };
}

function aad(key: Key, purpose: string): Buffer {
  return Buffer.from(`${FORMAT}.${key.id}.${purpose}`);
}

/**
 * At start: a node whose SECRET_KEY is not the installation's must not run, it would encrypt what the others can't decrypt. The first node
 * writes the canary; a node with a rotated key decrypts it with SECRET_KEY_PREVIOUS and re-encrypts it.
 * @param beforeRotation what else must hold before this node encrypts anything
 * @throws DecryptError with what to set
 */
export async function checkCanary(
  db: Database,
  cipher: SecretCipher,
  beforeRotation: () => Promise<void> = async () => {},
): Promise<void> {
  await db.kysely
    .insertInto('installation')
    .values({ key: CANARY, value: cipher.encrypt(CANARY_TEXT, CANARY) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const { value } = await db.kysely
    .selectFrom('installation')
    .select('value')
    .where('key', '=', CANARY)
    .executeTakeFirstOrThrow();
  try {
    cipher.decrypt(value, CANARY);
  } catch (error) {
    throw new DecryptError(
      "SECRET_KEY is not this installation's: every node needs the same one. After a change of it, give the old one as SECRET_KEY_PREVIOUS.",
      { cause: error },
    );
  }
  await beforeRotation();
  if (!cipher.isStale(value)) return;
  await db.kysely
    .updateTable('installation')
    .set({ value: cipher.encrypt(CANARY_TEXT, CANARY) })
    .where('key', '=', CANARY)
    .where('value', '=', value)
    .execute();
}

/** Names of the keys, the one for encrypting first; digests, which tell nothing about the keys. */
export function keyIdsOf(secret: string, previous: string | null): readonly string[] {
  return [secret, previous].filter((text) => text !== null).map((text) => derive(text).id);
}

/** Whether anything was ever encrypted here: a key that is made up now could not open it. */
export async function hasCanary(db: Database): Promise<boolean> {
  const row = await db.reader
    .selectFrom('installation')
    .select('key')
    .where('key', '=', CANARY)
    .executeTakeFirst();
  return row !== undefined;
}
