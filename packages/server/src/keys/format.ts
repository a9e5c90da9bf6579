/** What a key looks like: a prefix that names its kind, then 32 random bytes in base 62. The same for every kind of key. */
import { hash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);
const RANDOM_BYTES = 32;
/** 62^43 > 256^32 > 62^42: the shortest fixed length that holds every value. */
const RANDOM_LENGTH = 43;
/** How much of a key may be stored and shown. */
const SHOWN_LENGTH = 12;

/** `svc_cf_` opens the log endpoints; `svc_wh_` the webhooks; `ght_` the management API; `shr_` the reports of a share link. */
export type KeyPrefix = 'svc_cf_' | 'svc_wh_' | 'ght_' | 'shr_';

export interface NewKey {
  /** The only place with the full key. */
  readonly key: string;
  readonly prefix: string;
  readonly digest: string;
}

export function generateKey(prefix: KeyPrefix): NewKey {
  const key = prefix + base62(randomBytes(RANDOM_BYTES));
  return { key, prefix: shownPrefix(key), digest: keyDigest(key) };
}

/** Whether the text has the form of a key of this kind; says nothing about whether it was ever issued. */
export function hasKeyForm(prefix: KeyPrefix, text: string): boolean {
  return (
    text.length === prefix.length + RANDOM_LENGTH &&
    text.startsWith(prefix) &&
    /^[0-9A-Za-z]+$/.test(text.slice(prefix.length))
  );
}

/** The first characters, which may be stored, shown and logged. */
export function shownPrefix(key: string): string {
  return key.slice(0, SHOWN_LENGTH);
}

/** SHA-256 (hex). A key carries 256 random bits, so a slow password hash would add nothing but load. */
export function keyDigest(key: string): string {
  return hash('sha256', key);
}

/** @returns exactly `RANDOM_LENGTH` digits for 32 bytes */
export function base62(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
  let text = '';
  while (value > 0n) {
    text = ALPHABET.charAt(Number(value % BASE)) + text;
    value /= BASE;
  }
  return text.padStart(RANDOM_LENGTH, '0');
}
