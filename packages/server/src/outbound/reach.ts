/** Where a connection may go, for everything that leaves: one guard, one mapping, so that no way out is watched less than another. */
import { lookup as resolve } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

/**
 * Resolves, checks every address, and hands on only those that may be connected to: name resolution and connection are one step, so that
 * a second answer of the name server can't lead elsewhere.
 */
export function guardedLookup(isAllowed: (address: string) => boolean, refusal: () => Error): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const allowed = addresses.filter(({ address }) => isAllowed(address));
      const [first] = allowed;
      if (first === undefined) return callback(refusal(), []);
      if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

/** The address in the URL itself, which is connected to without asking `lookup`; null for a name. */
export function literalAddress(url: URL): string | null {
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 ? null : literal;
}

/** This machine, as a URL has it. */
export const isLoopback = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host);

/** The same path and query below another base: where the operator has a host's requests go. */
export function below(base: string, url: URL): URL {
  const target = new URL(base);
  return new URL(target.pathname.replace(/\/$/, '') + url.pathname + url.search, target);
}

/** @returns null for a coding that we did not ask for and can't read */
export function decoded(response: IncomingMessage, cut: () => Error): Readable | null {
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return response;
  const decoder = encoding === 'gzip' ? createGunzip() : encoding === 'br' ? createBrotliDecompress() : null;
  if (decoder === null) return null;
  // A connection cut in the middle must end the decoder too, or it would wait for the rest for ever.
  response.once('error', (error) => decoder.destroy(error));
  response.once('aborted', () => decoder.destroy(cut()));
  return response.pipe(decoder);
}
