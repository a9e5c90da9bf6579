/**
 * Ids of hits. Where the edge gave a request id, the hit's id follows from it, so that the same visit reported twice (retry, or
 * collector and log push on one zone) has one id.
 *
 * MurmurHash3 x86_128: synchronous (WebCrypto's digests are not), no tables, 128 bits. Two different rays of one property
 * collide with probability n²/2¹²⁹: at 10⁹ hits in 48 h about 10⁻²¹. It is not cryptographic: the holder of a property's ingest
 * key could construct two rays with one id, and would thereby lose a hit of their own. So never use the id without its
 * organization as a key.
 */

/**
 * @param attributionId lower-case UUID
 * @param rayId the edge's request id, not empty
 * @returns a version 8 UUID (RFC 9562: vendor-specific), the same for the same arguments, for ever
 */
export function hitId(attributionId: string, rayId: string): string {
  const { padded, length } = utf8(`${attributionId}\n${rayId}`);
  const [a, b, c, d] = hash(padded, length, 0);
  const version8 = (b & 0xffff0fff) | 0x8000;
  const variant = (c & 0x3fffffff) | 0x80000000;
  return `${hex(a)}-${high(version8)}-${low(version8)}-${high(variant)}-${low(variant)}${hex(d)}`;
}

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const high = (word: number): string => (HEX[word >>> 24] ?? '') + (HEX[(word >>> 16) & 0xff] ?? '');
const low = (word: number): string => (HEX[(word >>> 8) & 0xff] ?? '') + (HEX[word & 0xff] ?? '');
const hex = (word: number): string => high(word) + low(word);

/** UTF-8, padded with zeros to whole blocks. Ids and rays are ASCII: written straight, they cost a fifth of an encoder's call. */
function utf8(text: string): { padded: Uint8Array; length: number } {
  const padded = new Uint8Array(wholeBlocks(text.length));
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return paddedToBlocks(new TextEncoder().encode(text));
    padded[i] = code;
  }
  return { padded, length: text.length };
}

function paddedToBlocks(data: Uint8Array): { padded: Uint8Array; length: number } {
  const padded = new Uint8Array(wholeBlocks(data.length));
  padded.set(data);
  return { padded, length: data.length };
}

const wholeBlocks = (length: number): number => Math.ceil(length / 16) * 16;

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
  const out = new Uint8Array(16);
  const view = new DataView(out.buffer);
  const { padded, length } = paddedToBlocks(data);
  hash(padded, length, seed).forEach((word, index) => {
    view.setInt32(index * 4, word);
  });
  return out;
}

const word = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) |
  ((bytes[at + 1] ?? 0) << 8) |
  ((bytes[at + 2] ?? 0) << 16) |
  ((bytes[at + 3] ?? 0) << 24);

/**
 * @param padded the data with zeros to whole blocks: a zero word of the tail mixes to zero and leaves its lane as it was, as the
 * reference's switch does  @param length of the data itself
 */
function hash(padded: Uint8Array, length: number, seed: number): [number, number, number, number] {
  let h1 = seed;
  let h2 = seed;
  let h3 = seed;
  let h4 = seed;
  const whole = length - (length % 16);
  for (let at = 0; at < padded.length; at += 16) {
    const k1 = Math.imul(rotate(Math.imul(word(padded, at), C1), 15), C2);
    const k2 = Math.imul(rotate(Math.imul(word(padded, at + 4), C2), 16), C3);
    const k3 = Math.imul(rotate(Math.imul(word(padded, at + 8), C3), 17), C4);
    const k4 = Math.imul(rotate(Math.imul(word(padded, at + 12), C4), 18), C1);
    h1 ^= k1;
    if (at < whole) h1 = (Math.imul(rotate(h1, 19) + h2, 5) + 0x561ccd1b) | 0;
    h2 ^= k2;
    if (at < whole) h2 = (Math.imul(rotate(h2, 17) + h3, 5) + 0x0bcaa747) | 0;
    h3 ^= k3;
    if (at < whole) h3 = (Math.imul(rotate(h3, 15) + h4, 5) + 0x96cd1c35) | 0;
    h4 ^= k4;
    if (at < whole) h4 = (Math.imul(rotate(h4, 13) + h1, 5) + 0x32ac3b17) | 0;
  }
  h1 ^= length;
  h2 ^= length;
  h3 ^= length;
  h4 ^= length;
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
  return [h1, h2, h3, h4];
}
