/** A zip archive in memory. Deterministic: the same files give the same bytes. */
import { crc32, deflateRawSync } from 'node:zlib';

/** 2026-01-01 00:00, in the archive's own form: the time of a build would change the bytes. */
const DATE = ((2026 - 1980) << 9) | (1 << 5) | 1;
const VERSION = 20;
const DEFLATED = 8;
const UTF8_NAMES = 0x800;
/** Made on Unix, so that modes are read. */
const MADE_BY = (3 << 8) | VERSION;
const MODE_OF_FILES = (0o100644 << 16) >>> 0;

/** @param files path in the archive → content; at most 65,535, and less than 4 GiB */
export function zipOf(files: ReadonlyMap<string, Buffer>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of files) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(content, { level: 9 });
    const about = aboutFile(name, content, packed);
    const head = Buffer.concat([signed(0x04034b50), about, name]);
    parts.push(head, packed);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(MODE_OF_FILES, 6);
    entry.writeUInt32LE(offset, 10);
    directory.push(signed(0x02014b50), shorts(MADE_BY), about, entry, name);
    offset += head.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(10);
  end.writeUInt32LE(listed.length, 0);
  end.writeUInt32LE(offset, 4);
  return Buffer.concat([...parts, listed, signed(0x06054b50), shorts(0, 0, files.size, files.size), end]);
}

/** The 26 bytes that both heads of a file have. */
function aboutFile(name: Buffer, content: Buffer, packed: Buffer): Buffer {
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32LE(crc32(content), 0);
  sizes.writeUInt32LE(packed.length, 4);
  sizes.writeUInt32LE(content.length, 8);
  return Buffer.concat([shorts(VERSION, UTF8_NAMES, DEFLATED, 0, DATE), sizes, shorts(name.length, 0)]);
}

function signed(signature: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature, 0);
  return bytes;
}

function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16LE(value, 2 * index);
  return bytes;
}
