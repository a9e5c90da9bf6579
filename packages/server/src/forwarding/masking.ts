/**
 * Requests and answers as people may see them: enough to understand what was sent and why it was refused, no secret, no person's address.
 * Two nets: the values that are known to be secret or personal are removed wherever they are and however they are encoded; and what
 * looks like one is removed although it was unknown, since an answer may echo anything.
 */
import { type JsonValue, maskFound, truncateIp } from '@ghostlight/core';
import type { ForwardedConversion, HttpRequest, HttpResponse, MatchContext } from '../destinations/index.ts';
import { shownUrl } from './encrypted-urls.ts';

export interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text; JSON where the request's was. */
  readonly body: string | null;
}

export interface ShownResponse {
  readonly status: number;
  readonly body: string;
}

/** What must not be shown, as far as it is known. */
export interface Known {
  /** Credentials and access tokens. */
  readonly secrets: readonly string[];
  /** Encrypted addresses: a request to one is shown without its path and query. */
  readonly addresses?: readonly string[];
  /** JSON member names below which everything is personal. */
  readonly plainFields: readonly string[];
  /** Of the customer, as they were sent. */
  readonly personal?: readonly string[];
  /** Click and browser ids: their beginning is shown, by which a person finds their own test. */
  readonly traces?: readonly string[];
}

export interface Masker {
  request(request: HttpRequest): ShownRequest;
  response(response: Pick<HttpResponse, 'status' | 'body'>): ShownResponse;
  text(text: string): string;
}

const HIDDEN = '•••';
/** Of an id or a digest: by so much one recognises one's own. */
const BEGINNING = 6;
/** A shorter value is hidden where it is a whole word: taken out of the middle of words it would destroy the text and hide nothing. */
const SHORTEST_INSIDE = 6;
const LIMITS = { depth: 20, requestBody: 16 * 1024, responseBody: 4 * 1024, read: 64 * 1024 } as const;
/** At a cut a value may be halved, and would not be recognised: more is dropped than the longest secret has. */
const TORN = 4 * 1024;

const SECRET_NAME = /authorization|cookie|passw|secret|token|api[-_]?key|signature/i;
const DIGEST = /[0-9a-f]{64,}/gi;
const EMAIL_ENCODED = /[A-Za-z0-9._+-]{1,64}(?:%2B[A-Za-z0-9._+-]{0,64})?%40[A-Za-z0-9.-]{1,190}/gi;
const PHONE_ENCODED = /%2B[1-9][0-9]{6,18}/gi;
const IPV4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d])/g;
const IPV6 =
  /(?<![0-9a-z:.])(?:[0-9a-f]{0,4}:){2,7}(?:[0-9a-f]{1,4}|\d{1,3}(?:\.\d{1,3}){3})?(?![0-9a-z:])/gi;

/** What is known of one delivery: its customer, and the clicks that brought them. */
export function knownOf(
  { user }: Pick<ForwardedConversion, 'user'>,
  { client, clickIds, browserIds }: Pick<MatchContext, 'client' | 'clickIds' | 'browserIds'>,
): Required<Pick<Known, 'personal' | 'traces'>> {
  const address = user?.address;
  const personal = [
    ...[user?.email, user?.phone, user?.firstName, user?.lastName],
    ...[address?.street, address?.postalCode, client?.ip, client?.userAgent],
  ];
  return {
    personal: personal.filter((value) => typeof value === 'string'),
    traces: [...Object.values(clickIds).map(({ value }) => value), ...Object.values(browserIds)],
  };
}

export function createMasker({
  secrets,
  addresses = [],
  plainFields,
  personal = [],
  traces = [],
}: Known): Masker {
  const hidden = [...new Set([...secrets, ...personal])].filter((value) => value !== '');
  const alone = new Set(hidden);
  const inside = hidden
    .filter((value) => value.length >= SHORTEST_INSIDE)
    .flatMap(spellings)
    // The longest first: one secret may be the beginning of another.
    .sort((a, b) => b.length - a.length);
  const ids = traces.filter((value) => value.length > BEGINNING);
  const plain = new Set(plainFields);

  const text = (value: string): string => {
    if (alone.has(value)) return truncateIp(value) ?? HIDDEN;
    let result = value;
    for (const spelling of inside) result = result.replaceAll(spelling, HIDDEN);
    for (const id of ids) result = result.replaceAll(id, beginning(id));
    return found(result);
  };

  const json = (value: JsonValue, depth: number, isPlain: boolean): JsonValue => {
    if (typeof value === 'string') return isPlain ? (truncateIp(value) ?? HIDDEN) : text(value);
    if (typeof value !== 'object' || value === null) return isPlain && value !== null ? HIDDEN : value;
    if (depth >= LIMITS.depth) return '…';
    if (Array.isArray(value)) return value.map((item) => json(item, depth + 1, isPlain));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        text(name),
        SECRET_NAME.test(name) && typeof member === 'string'
          ? HIDDEN
          : json(member, depth + 1, isPlain || plain.has(name)),
      ]),
    );
  };

  const document = (body: string): string => {
    const value = parsed(body);
    return value === undefined ? text(body) : JSON.stringify(json(value, 0, false));
  };

  const pair = ([name, value]: [string, string]): string =>
    `${name}=${SECRET_NAME.test(name) ? HIDDEN : plain.has(name) ? (truncateIp(value) ?? HIDDEN) : text(value)}`;
  const form = (search: string): string => [...new URLSearchParams(search)].map(pair).join('&');

  const address = (url: string): string => {
    const split = url.indexOf('?');
    const path = split === -1 ? url : url.slice(0, split);
    const parts = path.replace(/\/\/[^/@]*@/, `//${HIDDEN}@`).split('/');
    const shown = parts.map((part) => text(unescaped(part))).join('/');
    return split === -1 ? shown : `${shown}?${form(url.slice(split))}`;
  };

  return {
    text,
    request({ method, url, headers, body }) {
      const isForm = Object.values(headers).some((value) =>
        value.startsWith('application/x-www-form-urlencoded'),
      );
      return {
        method,
        url: addresses.includes(url) ? shownUrl(url) : address(url),
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            SECRET_NAME.test(name) ? value.replace(/^(\w+ )?.*$/s, `$1${HIDDEN}`) : text(value),
          ]),
        ),
        body: body === null ? null : cut(isForm ? form(body) : document(body), LIMITS.requestBody),
      };
    },
    response: ({ status, body }) => ({
      status,
      body: cut(document(untorn(body)), LIMITS.responseBody),
    }),
  };
}

/**
 * What looks like a digest, an address or a telephone number. Each pattern is asked only where its own sign stands: they look at every
 * place of a text, and of a batch of thousands that is most of what delivery computes.
 */
function found(text: string): string {
  let result = text.replace(DIGEST, beginning);
  if (result.includes('%')) result = result.replace(EMAIL_ENCODED, HIDDEN).replace(PHONE_ENCODED, HIDDEN);
  if (/[@+]/.test(result)) result = maskFound(result);
  if (result.includes(':')) result = result.replace(IPV6, shortened);
  if (result.includes('.')) result = result.replace(IPV4, shortened);
  return result;
}

const shortened = (address: string): string => truncateIp(address) ?? address;
const beginning = (id: string): string => `${id.slice(0, BEGINNING)}…`;

/** As it is in a URL, in a form, in JSON within JSON, in `Basic` credentials. */
function spellings(value: string): readonly string[] {
  const encoded = encodeURIComponent(value.toWellFormed());
  return [
    ...new Set([
      value,
      encoded,
      encoded.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
      encoded.replaceAll('%20', '+'),
      JSON.stringify(value).slice(1, -1),
      Buffer.from(value).toString('base64'),
    ]),
  ];
}

/** As its reader reads it; what is no escape stays. */
function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function parsed(body: string): JsonValue | undefined {
  if (!/^\s*[{[]/.test(body)) return undefined;
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return undefined;
  }
}

const cut = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;

const untorn = (body: string): string =>
  body.length <= LIMITS.read ? body : body.slice(0, LIMITS.read - TORN);
