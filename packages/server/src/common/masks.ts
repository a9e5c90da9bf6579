/**
 * Credentials (keys, tokens, signatures, one-time links) and what identifies a person, taken out of text that is kept or shown: the log,
 * rejected elements, Recent Activity, samples of the setup checker. One list, so that what one of them hides no other shows.
 */

const REDACTED = '[redacted]';
const NAME =
  '(?:token|secret|passw(?:or)?d|pwd|api[_-]?key|authorization|signature|session(?:[_-]?id)?|jsessionid|phpsessid)';
/** Of a parameter. An escaped `&` may belong to it, so what follows one goes too. */
const VALUE = String.raw`[^&#;,"'\s\\<>[\]]+`;

const SECRETS: readonly (readonly [RegExp, string])[] = [
  // Our own, and those of webhooks (Standard Webhooks).
  [/\bsvc_(cf|wh)_[0-9A-Za-z]{4,}/g, `svc_$1_${REDACTED}`],
  [/\bght_[0-9A-Za-z]{4,}/g, `ght_${REDACTED}`],
  [/\bwhsec_[0-9A-Za-z+/=_-]{4,}/g, `whsec_${REDACTED}`],
  // Who has such an address may post there.
  [/(hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)[\w/-]+/gi, `$1${REDACTED}`],
  [/(discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/)[\w/-]+/gi, `$1${REDACTED}`],
  // Members of JSON, and of JSON inside a JSON text.
  [new RegExp(String.raw`("[\w-]{0,40}${NAME}"\s{0,9}:\s{0,9})"(?:[^"\\]|\\.)*"?`, 'gi'), `$1"${REDACTED}"`],
  [
    new RegExp(String.raw`(\\{1,9}"[\w-]{0,40}${NAME}\\{1,9}"\s{0,9}:\s{0,9}\\{1,9}")[^"\\]+`, 'gi'),
    `$1${REDACTED}`,
  ],
  // A header as a line of text; the scheme stays.
  [/\b(authorization\s{0,9}:\s{0,9}basic\s{1,9})[^\s"'\\,;[\]]+/gi, `$1${REDACTED}`],
  [/\b(authorization\s{0,9}:\s{0,9})(?!(?:basic|bearer)\s)[^\s"'\\,;[\]]+/gi, `$1${REDACTED}`],
  [/\b(bearer\s{1,9})[A-Za-z0-9._~+/-]{8,}=*/gi, `$1${REDACTED}`],
  // In paths, queries, fragments and cookies, escaped or not: `;token=`, `#access_token=`, `%3Ftoken=`.
  [new RegExp(`(${NAME}(?:=|%3d))${VALUE}`, 'gi'), `$1${REDACTED}`],
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^:/@\s"]{0,200}:)[^@\s"/]{1,500}@/gi, `$1${REDACTED}@`],
];

const EMAIL = /[A-Za-z0-9._%+-]{1,64}(?:@|%40)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/gi;
/** With a plus, or in groups: a plain number is an order as often. */
const PHONE = /(?<![\w.])\+\d[\d ().-]{6,20}\d(?![\w.])|(?<![\w.])\(?\d{3}\)?[ -]\d{3}[ -]\d{4}(?![\w.])/g;
/** `Chrome/126.0.0.0` looks like an address; behind a product's slash it is a version, behind a path's it is none. */
const IPV4 =
  /(?<![\d.]|[A-Za-z]\/)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])|(?<=\/(?:ip|users?|clients?|hosts?|by-ip|whois)\/)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/gi;
/** All eight groups, or a `::`: anything less is a time of day. */
const IPV6 =
  /(?<![0-9a-z:])(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|[0-9a-f:]{0,30}::[0-9a-f:.]{0,45})(?![0-9a-z:])/gi;

/** @returns the text with every secret in it taken out; names stay. Twice is the same as once. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

/** The same, and email addresses, telephone numbers and network addresses too. */
export function maskText(text: string): string {
  return maskSecrets(text)
    .replace(PHONE, '[phone]')
    .replace(EMAIL, '[email]')
    .replace(IPV4, '[address]')
    .replace(IPV6, '[address]');
}
