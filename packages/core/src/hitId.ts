/**
 * Ids of hits. Where the edge gave a request id, the hit's id follows from it, so that the same visit reported twice (retry, or
 * collector and log push on one zone) has one id.
 *
 * MurmurHash3 x86_128: synchronous (WebCrypto's digests are not), no tables, 128 bits. Two different rays of one property
 * collide with probability n²/2¹²⁹: at 10⁹ hits in 48 h about 10⁻²¹. It is not cryptographic: whoever holds a property's ingest
 * key could construct two rays with one id, and would thereby lose a hit of their own. So never use the id without its
 * organization as a key.
 */

/**
 * @param attributionId lower-case UUID
 * @param rayId the edge's request id, not empty
 * @returns a version 8 UUID (RFC 9562: vendor-specific), the same for the same arguments, for ever
 */
export function hitId(attributionId: string, rayId: string): string {
  const bytes = murmur3x86(new TextEncoder().encode(`${attributionId}\n${rayId}`), 0);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  let text = '';
  for (let i = 0; i < 16; i++) {
    text += (HEX[bytes[i] ?? 0] ?? '') + (i === 3 || i === 5 || i === 7 || i === 9 ? '-' : '');
  }
  return text;
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const rotate = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits));

function mix(x: number): number {
  let h = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

/** MurmurHash3_x86_128 (A. Appleby, public domain), big-endian words as its reference prints them. Exported for its vectors. */
export function murmur3x86(data: Uint8Array, seed: number): Uint8Array {
  let h1 = seed;
  let h2 = seed;
  let h3 = seed;
  let h4 = seed;
  // The tail is padded with zeros: a zero word mixes to zero and leaves its lane as it was, as the reference's switch does.
  const padded = new Uint8Array(Math.ceil(data.length / 16) * 16);
  padded.set(data);
  const words = new DataView(padded.buffer);
  const whole = data.length - (data.length % 16);
  for (let at = 0; at < padded.length; at += 16) {
    const k1 = Math.imul(rotate(Math.imul(words.getInt32(at, true), C1), 15), C2);
    const k2 = Math.imul(rotate(Math.imul(words.getInt32(at + 4, true), C2), 16), C3);
    const k3 = Math.imul(rotate(Math.imul(words.getInt32(at + 8, true), C3), 17), C4);
    const k4 = Math.imul(rotate(Math.imul(words.getInt32(at + 12, true), C4), 18), C1);
    h1 ^= k1;
    if (at < whole) h1 = (Math.imul(rotate(h1, 19) + h2, 5) + 0x561ccd1b) | 0;
    h2 ^= k2;
    if (at < whole) h2 = (Math.imul(rotate(h2, 17) + h3, 5) + 0x0bcaa747) | 0;
    h3 ^= k3;
    if (at < whole) h3 = (Math.imul(rotate(h3, 15) + h4, 5) + 0x96cd1c35) | 0;
    h4 ^= k4;
    if (at < whole) h4 = (Math.imul(rotate(h4, 13) + h1, 5) + 0x32ac3b17) | 0;
  }
  h1 ^= data.length;
  h2 ^= data.length;
  h3 ^= data.length;
  h4 ^= data.length;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = mix(h1);
  h2 = mix(h2);
  h3 = mix(h3);
  h4 = mix(h4);
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  const out = new Uint8Array(16);
  const view = new DataView(out.buffer);
  view.setInt32(0, h1);
  view.setInt32(4, h2);
  view.setInt32(8, h3);
  view.setInt32(12, h4);
  return out;
}
