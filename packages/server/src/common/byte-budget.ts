/**
 * What bodies hold in memory before their senders are known: each byte counts when it arrives, for all bodies together, for the property that
 * the request names and for the address that sends it. So many connections hold no more than few, and one sender leaves room for the others.
 */
import { ServiceError } from './errors.ts';
import { networkOf } from './throttle.ts';

/** A piece is an object beside its bytes: many small ones hold more than they say. */
const PIECE_BYTES = 256;
const RETRY_AFTER = '5';

export interface ByteLimits {
  readonly total: number;
  readonly perProperty: number;
  /** Of an IPv4 address, or of an IPv6 /64. */
  readonly perAddress: number;
}

/** Of one body. */
export interface HeldBytes {
  /** One piece more is held. @throws ServiceError `unavailable` where that is more than a limit allows; what was held before still is */
  take(bytes: number): void;
  /** Nothing is held any more. */
  release(): void;
}

export interface ByteBudget {
  /** A request whose body is about to be read. @param ip empty: the connection is gone */
  open(property: string, ip: string): HeldBytes;
}

export function createByteBudget({ total, perProperty, perAddress }: ByteLimits): ByteBudget {
  const properties = new Map<string, number>();
  const addresses = new Map<string, number>();
  let all = 0;

  return {
    open(property, ip) {
      const address = networkOf(ip);
      let held = 0;
      return {
        take(bytes) {
          const more = bytes + PIECE_BYTES;
          const ofProperty = (properties.get(property) ?? 0) + more;
          const ofAddress = (addresses.get(address) ?? 0) + more;
          if (all + more > total || ofProperty > perProperty || ofAddress > perAddress) throw tooMuch();
          properties.set(property, ofProperty);
          addresses.set(address, ofAddress);
          all += more;
          held += more;
        },
        release() {
          all -= held;
          lower(properties, property, held);
          lower(addresses, address, held);
          held = 0;
        },
      };
    },
  };
}

function lower(counts: Map<string, number>, name: string, by: number): void {
  const left = (counts.get(name) ?? by) - by;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
}

/** What is left of the body stays unread: the connection can't carry another request. */
function tooMuch(): ServiceError {
  return new ServiceError('unavailable', 'Nothing was stored. Send the same request again later.', {
    headers: { 'Retry-After': RETRY_AFTER, Connection: 'close' },
  });
}
