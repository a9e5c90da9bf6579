/** Chunks as they are stored: zstd with a checksum, so that what can't be unpacked is not what was written. */
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

/** The fastest level: hits are so alike that the next ones gain little. */
const LEVEL = 1;
const params = {
  [constants.ZSTD_c_compressionLevel]: LEVEL,
  [constants.ZSTD_c_checksumFlag]: 1,
};

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

export const pack = (body: Uint8Array): Promise<Buffer> => compress(body, { params });

/** @param size of what was packed, in bytes. @returns null: it is not what was written */
export async function unpack(packed: Uint8Array, size: number): Promise<Uint8Array | null> {
  try {
    const body = await decompress(packed, { maxOutputLength: Math.max(size, 1) });
    return body.length === size ? body : null;
  } catch {
    return null;
  }
}
