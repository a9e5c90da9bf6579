/** What a line says of a signed request (Web Bot Auth): its three headers, and the parts of the request that they sign, as they were sent. */
import type { LoggedSignature } from '@ghostlight/core';
import { present, type VisitRecord } from './record.ts';

/** Real fields have 300 to 500 characters; longer ones than the check takes need not be kept. */
const MAX_FIELD = 8_192;
const MAX_METHOD = 32;
const SCHEME = /^(https?):\/\//i;

/**
 * @param host as sent, or what is said of all lines @param asked what was asked for, which may begin with a scheme and a host
 * @param target of it path and query, as far as it has a query
 * @returns null where the line has no signature
 */
export function signedOf(
  record: VisitRecord,
  host: string,
  asked: string,
  target: string,
): LoggedSignature | null {
  const signature = textOf(record.signature, MAX_FIELD);
  const input = textOf(record.signatureInput, MAX_FIELD);
  if (signature === '' || input === '') return null;
  return {
    scheme: schemeOf(record.scheme) || schemeOf(SCHEME.exec(asked)?.[1]),
    authority: host.trim(),
    method: textOf(record.method, MAX_METHOD),
    target: targetOf(record, target),
    signature,
    input,
    agent: textOf(record.signatureAgent, MAX_FIELD),
  };
}

/** Path and query as one. A query that the line has taken apart can't be put together as it was. */
function targetOf({ query }: VisitRecord, target: string): string | null {
  if (query === undefined || query === null || query === '' || target.includes('?')) return target;
  if (typeof query !== 'string') return null;
  return `${target}${query.startsWith('?') ? '' : '?'}${query}`;
}

function textOf(value: unknown, limit: number): string {
  const one = present(value);
  return typeof one === 'string' ? one.slice(0, limit).trim() : '';
}

/** nginx's `$https` is `on` or empty. */
function schemeOf(value: unknown): LoggedSignature['scheme'] {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === 'https' || word === 'on' || word === true || word === 'true') return 'https';
  return word === 'http' || word === 'off' || word === false || word === 'false' ? 'http' : '';
}
