/** The secrets of an installation inside its backup: encrypted with a passphrase (scrypt, AES-256-GCM), so that who finds the file has none of them. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';

/** Below it a stolen backup could be tried out in days. */
export const PASSPHRASE_CHARACTERS = 12;

/** 64 MiB and a third of a second for each guess. */
const COST = { N: 2 ** 16, r: 8, p: 1 } as const;
/** What a header may ask for: 256 MiB. */
const MOST_N = 2 ** 18;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'ghostlight backup secrets v1';

export interface Secrets {
  readonly secret_key: string | null;
  readonly admin_token: string | null;
}

export interface SealedSecrets {
  readonly kdf: {
    readonly name: 'scrypt';
    readonly N: number;
    readonly r: number;
    readonly p: number;
    readonly salt: string;
  };
  readonly cipher: 'aes-256-gcm';
  /** base64url: nonce, text, tag. */
  readonly sealed: string;
}

export class WrongPassphrase extends Error {}

export async function sealSecrets(secrets: Secrets, passphrase: string): Promise<SealedSecrets> {
  const salt = randomBytes(SALT_BYTES);
  const key = await keyOf(passphrase, salt, COST);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(PURPOSE));
  const sealed = Buffer.concat([
    nonce,
    cipher.update(JSON.stringify(secrets), 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return {
    kdf: { name: 'scrypt', ...COST, salt: salt.toString('base64url') },
    cipher: 'aes-256-gcm',
    sealed: sealed.toString('base64url'),
  };
}

/** @throws WrongPassphrase */
export async function openSecrets({ kdf, sealed }: SealedSecrets, passphrase: string): Promise<Secrets> {
  const body = Buffer.from(sealed, 'base64url');
  try {
    const key = await keyOf(passphrase, Buffer.from(kdf.salt, 'base64url'), kdf);
    const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(PURPOSE))
      .setAuthTag(body.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return JSON.parse(plain.toString('utf8')) as Secrets;
  } catch (error) {
    throw new WrongPassphrase('The passphrase is not the one that this backup was made with.', {
      cause: error,
    });
  }
}

function keyOf(
  passphrase: string,
  salt: Buffer,
  { N, r, p }: { N: number; r: number; p: number },
): Promise<Buffer> {
  if (N > MOST_N || r > 8 || p > 4) throw new RangeError('costs more than any backup of ours');
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
