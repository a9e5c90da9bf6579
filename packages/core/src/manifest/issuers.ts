/** Who may issue a manifest: an origin that the agent trusts, or that the zone names in DNS. */

const LOOPBACK = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])$/;

/** The first word of the record, so that other TXT records of the name are no error. */
const RECORD_VERSION = 'v=webmcp1';
/** A zone needs one issuer, two while it moves from one to another. */
const MAX_RECORDS = 20;
const MAX_RECORD_LENGTH = 1024;

/**
 * The origin of an issuer or of a URL on it.
 * @returns null unless it is https without credentials; http counts on loopback only, for development
 */
export function issuerOrigin(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:') return url.origin;
  return url.protocol === 'http:' && LOOPBACK.test(url.hostname) ? url.origin : null;
}

/** Name of the TXT record in which a zone names its issuers. */
export const issuerRecordName = (host: string): string => `_webmcp.${host}`;

/**
 * Text of that record.
 * @throws TypeError for an issuer that no verifier would accept
 */
export function issuerRecord(issuer: string): string {
  const origin = issuerOrigin(issuer);
  if (origin === null) throw new TypeError(`${issuer} is not an https origin`);
  return `${RECORD_VERSION}; issuer=${origin}`;
}

/**
 * Issuers of a host, from the TXT records of `_webmcp.<host>`: each `v=webmcp1; issuer=https://app.example`; unknown tags are
 * skipped, what is no such record too. The strings of one record must be joined; the quotes that DNS tools print are taken off.
 * DNS is unauthenticated without DNSSEC: ask a resolver that validates, over a protected connection.
 * @returns origins, each once, in the records' order
 */
export function issuersOfTxt(records: readonly string[]): string[] {
  const issuers = new Set<string>();
  for (const record of records.slice(0, MAX_RECORDS)) {
    if (record.length > MAX_RECORD_LENGTH) continue;
    const text = record.trim().replaceAll(/^"|"$|"\s*"/g, '');
    const [version, ...tags] = text.split(';').map((tag) => tag.trim());
    if (version?.replaceAll(' ', '') !== RECORD_VERSION) continue;
    for (const tag of tags) {
      const [, address] = /^issuer\s*=\s*(\S+)$/.exec(tag) ?? [];
      const origin = address === undefined ? null : issuerOrigin(address);
      // A path would suggest that only keys below it are trusted; nothing checks that.
      if (origin !== null && URL.parse(address ?? '')?.href === `${origin}/`) issuers.add(origin);
    }
  }
  return [...issuers];
}
