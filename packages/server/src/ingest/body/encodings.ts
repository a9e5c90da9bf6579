/** How a body may be compressed, and what takes it apart. Gzip is known by its first bytes whatever the headers say; the rest by `Content-Encoding`. */
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import {
  constants,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { ServiceError } from '../../common/index.ts';

export type Encoding = 'identity' | 'deflate' | 'zstd';

/** How many first bytes tell the form of a body. */
export const HEAD_BYTES = 4;

const NAMES: Readonly<Record<string, Encoding>> = {
  identity: 'identity',
  // Known by its first bytes: a body that a proxy has unpacked often keeps the header.
  gzip: 'identity',
  'x-gzip': 'identity',
  deflate: 'deflate',
  zstd: 'zstd',
};

/** A frame may ask its reader for a window of up to 128 MiB; 8 MiB is what every level of compression up to 19 uses. */
const ZSTD_WINDOW_LOG = 23;

/** @throws ServiceError `unsupported_encoding`, for a coding that isn't read and for several at once */
export function announcedEncoding(request: IncomingMessage): Encoding {
  const given = request.headers['content-encoding'];
  if (given === undefined) return 'identity';
  const codings = given
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const [name = 'identity'] = codings;
  const encoding = NAMES[name];
  if (codings.length > 1 || encoding === undefined) {
    const named = codings.join(', ').slice(0, 60);
    throw new ServiceError(
      'unsupported_encoding',
      `Content-Encoding “${named}” is not read. Send gzip, deflate, zstd or an uncompressed body.`,
      { headers: { 'Accept-Encoding': 'gzip, deflate, zstd, identity' } },
    );
  }
  return encoding;
}

export interface DecompressionOptions {
  /** Bytes of a piece of output, and of what is decompressed ahead of the reader. */
  readonly chunkSize?: number;
  readonly readableHighWaterMark?: number;
}

interface Coding {
  readonly stream: (options: DecompressionOptions) => Transform;
  readonly whole: (body: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer;
}

const ZSTD = { params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } };
const CODINGS = {
  gzip: { stream: createGunzip, whole: gunzipSync },
  zlib: { stream: createInflate, whole: inflateSync },
  raw: { stream: createInflateRaw, whole: inflateRawSync },
  zstd: {
    stream: (options) => createZstdDecompress({ ...options, ...ZSTD }),
    whole: (body, options) => zstdDecompressSync(body, { ...options, ...ZSTD }),
  },
} as const satisfies Readonly<Record<string, Coding>>;

/** Null: it isn't compressed. */
function codingOf(head: Uint8Array, announced: Encoding): Coding | null {
  if (isGzip(head)) return CODINGS.gzip;
  if (isZstd(head)) return CODINGS.zstd;
  if (announced !== 'deflate' || head.length === 0) return null;
  // The name means the zlib format; some senders leave its two bytes out.
  return isZlib(head) ? CODINGS.zlib : CODINGS.raw;
}

/**
 * @param head the first bytes of the body, `HEAD_BYTES` of them where it has so many
 * @returns what decompresses it; null: it isn't compressed
 */
export function decompressorOf(
  head: Uint8Array,
  announced: Encoding,
  options: DecompressionOptions,
): Transform | null {
  return codingOf(head, announced)?.stream(options) ?? null;
}

/**
 * The body as it was before its sender compressed it, at once.
 * @returns null where that has more bytes than `most`
 * @throws an error of zlib's for what is damaged
 */
export function inflatedAtOnce(body: Buffer, announced: Encoding, most: number): Buffer | null {
  if (body.length > most) return null;
  const coding = codingOf(body, announced);
  if (coding === null) return body;
  try {
    return coding.whole(body, { maxOutputLength: most });
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function isZstd(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

/** RFC 1950: the method is 8, and both bytes together are a multiple of 31. */
function isZlib([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}
