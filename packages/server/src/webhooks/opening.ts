/** A stored conversion, read back into what its sender said. The personal part is encrypted; nothing of it is kept here. */
import {
  type Consent,
  type ConversionEvent,
  type JsonValue,
  type Product,
  readConversion,
  type UserData,
} from '@ghostlight/core';
import type { SecretCipher } from '../database/index.ts';
import type { ConversionRow } from './announce.ts';
import { personalPurpose } from './conversions.ts';

export interface OpenedConversion {
  readonly user: UserData | null;
  readonly products: readonly Product[];
  readonly consent: Consent | null;
}

/** Whether what was personal about it is deleted; a conversion that never had any keeps its digest as long as the others. */
export const isForgotten = ({ payload_digest }: Pick<ConversionRow, 'payload_digest'>): boolean =>
  payload_digest === null;

/** @throws DecryptError where no key at hand opens it */
export function openConversion(cipher: SecretCipher, row: ConversionRow): OpenedConversion {
  const { userData, products, consent } = readAgain({
    user_data: openPersonal(cipher, row)?.user_data ?? null,
    products: JSON.parse(row.products) as JsonValue,
    consent: row.consent === null ? null : (JSON.parse(row.consent) as JsonValue),
  });
  return { user: userData, products, consent };
}

/** As the body had it; null: there is none. @throws DecryptError */
export function openPersonal(
  cipher: SecretCipher,
  { id, personal }: Pick<ConversionRow, 'id' | 'personal'>,
): { readonly user_data: JsonValue; readonly extra: JsonValue } | null {
  if (personal === null) return null;
  return JSON.parse(cipher.decrypt(personal, personalPurpose(id))) as {
    user_data: JsonValue;
    extra: JsonValue;
  };
}

/** A lead requires nothing: the same reading as at its reception, of its parts alone. */
export function readAgain(parts: Readonly<Record<string, JsonValue>>): ConversionEvent {
  const reading = readConversion('lead', parts);
  if ('event' in reading) return reading.event;
  // It was accepted once: what wrote it is at fault, and says where, not what.
  const places = reading.errors.map(({ pointer }) => pointer).join(', ');
  throw new Error(`a stored conversion can't be read any more, at ${places}`);
}
