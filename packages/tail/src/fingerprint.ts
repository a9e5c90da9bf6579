/** Tells a file by how it begins: names and inodes change hands when logs are rotated. */
import { createHash } from 'node:crypto';
import { HEAD_BYTES } from './archives.ts';
import type { Fingerprint } from './state.ts';

/** @param head the first bytes of what a file holds */
export function fingerprintOf(head: Buffer): Fingerprint {
  const bytes = head.subarray(0, HEAD_BYTES);
  return { length: bytes.length, digest: createHash('sha256').update(bytes).digest('base64url') };
}

/** Whether a file that begins so is the one; it may have grown since. */
export function isSame(known: Fingerprint, head: Buffer): boolean {
  return (
    known.length > 0 &&
    head.length >= known.length &&
    fingerprintOf(head.subarray(0, known.length)).digest === known.digest
  );
}
