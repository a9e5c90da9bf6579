/** What is read of a request before it is gone. Texts are cut as the service's decoder cuts them, so that both classify the same. */
import { type ClassifiableHit, FIELD_LIMITS } from '@ghostlight/core';
import type { RequestFacts } from '../platform.ts';
import type { SignedRequest } from '../signature/index.ts';
import { cut, parseQuery } from './text.ts';

/** The platform's request: Node's type lacks `cf`. */
export type VisitRequest = Request & { readonly cf?: RequestFacts };

/** What decides about a visit: read of every request, so nothing more is read than that. */
export interface Traits {
  /** With its port, where it has one. */
  readonly host: string;
  readonly userAgent: string;
  readonly referrer: string;
  readonly search: string;
}

/** The rest, read only of a visit that may be reported. */
export interface Visit extends Traits {
  /** Epoch milliseconds of the request's arrival. */
  readonly at: number;
  readonly siteOrigin: string;
  readonly method: string;
  readonly path: string;
  /** As the edge gave it; it leaves the zone truncated or not at all. */
  readonly ip: string | null;
  readonly country: string;
  readonly asn: number;
  readonly rayId: string;
  /** null where there is no signature. */
  readonly signed: SignedRequest | null;
}

export function traitsOf(request: Request, url: URL): Traits {
  return {
    host: url.host,
    userAgent: cut(request.headers.get('User-Agent') ?? '', FIELD_LIMITS.userAgent),
    referrer: cut(request.headers.get('Referer') ?? '', FIELD_LIMITS.referrer),
    search: url.search,
  };
}

/** @param at epoch milliseconds of the request's arrival: the clock stands still until something is waited for */
export function visitOf(request: VisitRequest, url: URL, traits: Traits, at: number): Visit {
  const { headers, cf } = request;
  return {
    ...traits,
    at,
    siteOrigin: url.origin,
    method: request.method,
    path: cut(url.pathname, FIELD_LIMITS.path),
    ip: headers.get('CF-Connecting-IP'),
    country: countryOf(cf?.country),
    asn: asnOf(cf?.asn),
    rayId: rayOf(headers.get('CF-Ray')),
    signed: headers.has('Signature')
      ? { method: request.method, url: request.url, headers: new Headers(headers) }
      : null,
  };
}

/**
 * The hit as core classifies it.
 * @param signer directory URL of a verified signature, or null
 */
export function classifiable(traits: Traits, signer: string | null): ClassifiableHit {
  return {
    host: traits.host,
    userAgent: traits.userAgent,
    referrer: traits.referrer,
    // Parsed when asked for: most visits have no query, and a bot's does not decide about it.
    get query() {
      return parseQuery(traits.search);
    },
    platformCategory: null,
    signatureAgent: signer ?? '',
    edgeVerified: signer === null ? null : true,
    edgeVerifiedBy: signer === null ? null : 'signature',
    // Samples are drawn from what is left, so a drawn visit is classified like any other first.
    sampleRate: null,
  };
}

/** The edge's `XX` (unknown) and `T1` (Tor) name no country. */
function countryOf(country: unknown): string {
  return typeof country === 'string' && /^[A-Z]{2}$/.test(country) && country !== 'XX' ? country : '';
}

const asnOf = (asn: unknown): number =>
  typeof asn === 'number' && Number.isSafeInteger(asn) && asn > 0 ? asn : 0;

/** `CF-Ray` carries the data centre behind a dash, log push's `RayID` doesn't. Without one, a retry must still be known as one. */
export function rayOf(header: string | null): string {
  const [, ray] = /^([0-9a-z]{1,64})(?:-[a-z]{3})?$/i.exec(header ?? '') ?? [];
  if (ray !== undefined) return ray.toLowerCase();
  const random = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
