/**
 * The visitor's id as a cookie of the server's, on a custom tracking domain: Safari deletes what a script has written after seven days, and
 * leaves alone what a server has. The master is out of scripts' reach; the mirror is the SDK's own cookie, written again.
 */
import { visitorIdOf } from '@ghostlight/core';

/** HttpOnly, so that no script of the page can shorten its life by rewriting it. */
const MASTER = '_ghl_id';
/** The SDK's: it reads the visitor from there. */
const MIRROR = '_ghl_vid';
const MAX_AGE_S = 365 * 86_400;
const VALUE = /^v1\.([\w.-]{1,128})\.(\d{1,12})$/;

export interface VisitorStamp {
  readonly visitorId: string;
  /** Epoch, in seconds. */
  readonly firstSeen: number;
}

/** What the master cookie says. @param header the `Cookie` header */
export function readMaster(header: string | null): VisitorStamp | null {
  for (const pair of (header ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    const match = name === MASTER ? VALUE.exec(value) : null;
    // As everywhere else: a UUID in capitals is the same visitor.
    const visitorId = match?.[1] === undefined ? null : visitorIdOf(match[1]);
    if (visitorId !== null) return { visitorId, firstSeen: Number(match?.[2]) };
  }
  return null;
}

/** Both `Set-Cookie` values. @param domain as `sharedDomain` says; null: the host alone */
export function issue({ visitorId, firstSeen }: VisitorStamp, domain: string | null): readonly string[] {
  const attributes = `; Path=/; Max-Age=${MAX_AGE_S}; Secure; SameSite=Lax${domain === null ? '' : `; Domain=${domain}`}`;
  const value = `v1.${visitorId}.${firstSeen}`;
  return [`${MASTER}=${value}${attributes}; HttpOnly`, `${MIRROR}=${value}${attributes}`];
}

/** `co.uk`, `com.br`: below such a name anyone may register, and browsers, which know them all, refuse a cookie for one. */
const LOOKS_PUBLIC =
  /^(?:ac|biz|co|com|edu|firm|gen|go|gob|gov|gv|ind|info|ltd|me|mil|ne|net|nom|or|org|plc|sch|web)\.[a-z]{2}$/;

/**
 * The widest own domain of both: where the SDK's pages can read the mirror.
 * @returns null where they share none
 */
export function sharedDomain(trackingDomain: string, propertyDomain: string): string | null {
  const own = propertyDomain.replace(/^www\./, '');
  const a = trackingDomain.split('.').reverse();
  const b = own.split('.').reverse();
  const length = b.findIndex((label, index) => label !== a[index]);
  const shared = b
    .slice(0, length === -1 ? b.length : length)
    .reverse()
    .join('.');
  if (shared === '' || (shared !== own && LOOKS_PUBLIC.test(shared))) return null;
  return shared.includes('.') ? shared : null;
}
