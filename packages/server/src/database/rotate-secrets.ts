/** While SECRET_KEY_PREVIOUS is set: what is encrypted with it is re-encrypted, so that the old secret can be dropped. Each room says where its encrypted values are. */
import { DecryptError, type SecretCipher } from './secrets.ts';

const PAGE = 500;

/** A row that may hold an encrypted value. */
export interface EncryptedRow {
  /** Rows are read in its order. */
  readonly id: string;
  readonly sealed: string | null;
}

export interface EncryptedRows<Row extends EncryptedRow> {
  /** Those after an id, in the order of their ids. */
  page(after: string, limit: number): Promise<readonly Row[]>;
  /** What the value was encrypted for. */
  purposeOf(row: Row): string;
  /** Only if the old value is unchanged: a person may have entered another meanwhile, or its time may have come. */
  store(row: Row, sealed: string): Promise<unknown>;
}

/** @returns how many were re-encrypted; what neither key decrypts is left as it is */
export async function rotateRows<Row extends EncryptedRow>(
  cipher: SecretCipher,
  { page, purposeOf, store }: EncryptedRows<Row>,
): Promise<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const rows = await page(after, PAGE);
    for (const row of rows) {
      const sealed = row.sealed === null ? null : reencrypted(cipher, row.sealed, purposeOf(row));
      if (sealed === null) continue;
      await store(row, sealed);
      count += 1;
    }
    after = rows.at(-1)?.id ?? '';
    if (rows.length < PAGE) return count;
  }
}

/** @returns null: it is encrypted with the current key already, or can't be decrypted */
function reencrypted(cipher: SecretCipher, sealed: string, purpose: string): string | null {
  if (!cipher.isStale(sealed)) return null;
  try {
    return cipher.encrypt(cipher.decrypt(sealed, purpose), purpose);
  } catch (error) {
    if (error instanceof DecryptError) return null;
    throw error;
  }
}
