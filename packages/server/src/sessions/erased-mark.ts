/**
 * By what an erased visitor is known again while something of theirs may still be on its way: a salted hash. The id itself is to stand
 * nowhere any more, neither in the mark nor in what the warehouse notes of a deletion.
 */
import { createHash, randomBytes } from 'node:crypto';

export interface ErasedMark {
  readonly salt: string;
  /** SHA-256 of salt and id, lower-case hex. */
  readonly digest: string;
}

const digestOf = (salt: string, visitorId: string): string =>
  createHash('sha256').update(salt).update(visitorId).digest('hex');

export function markOf(visitorId: string): ErasedMark {
  const salt = randomBytes(8).toString('hex');
  return { salt, digest: digestOf(salt, visitorId) };
}

export const markText = ({ salt, digest }: ErasedMark): string => `${salt}.${digest}`;

/** Older marks contain the id. */
export function readMark(text: string): ErasedMark {
  const [, salt, digest] = /^([0-9a-f]{16})\.([0-9a-f]{64})$/.exec(text) ?? [];
  return salt === undefined || digest === undefined
    ? { salt: '', digest: digestOf('', text) }
    : { salt, digest };
}

export const isMarked = ({ salt, digest }: ErasedMark, visitorId: string): boolean =>
  digestOf(salt, visitorId) === digest;
