/**
 * As much of the tar format (POSIX ustar) as backups and takeouts need: plain files, written and read as streams, so that `tar -tvf` lists
 * them on any machine. What else an archive can hold (links, devices, absolute paths) is refused when it is read.
 */

const BLOCK = 512;
/** A size above it (8 GiB) does not fit into eleven octal digits. */
const MOST_OCTAL = 0o77777777777;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;

export class TarError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'TarError';
  }
}

/** Ends an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** @param at epoch milliseconds @throws TarError when the name is too long for the format */
export function tarHeader(name: string, size: number, at: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const { base, prefix } = split(name);
  header.write(base, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (size > MOST_OCTAL) {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  } else header.write(`${octal(size, 11)}\0`, 124);
  header.write(`${octal(Math.floor(at / 1_000), 11)}\0`, 136);
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345);
  header.write(`${octal(sumOf(header), 6)}\0 `, 148);
  return header;
}

/** Zeros up to the next block. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

export interface TarEntry {
  readonly name: string;
  readonly size: number;
  /** To be read to its end, or not at all, before the next entry is asked for. */
  readonly body: AsyncIterable<Buffer>;
}

/**
 * The entries of an archive, one after the other. The caller may leave a body unread.
 * @throws TarError when it is cut off or is none of ours
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const input = new Input(source);
  for (;;) {
    const header = await input.exactly(BLOCK);
    if (header === null) throw new TarError('its end is missing');
    if (header.every((byte) => byte === 0)) return await readEnd(input);
    const { name, size } = readHeader(header);
    let left = size;
    const body = async function* (): AsyncGenerator<Buffer> {
      while (left > 0) {
        const piece = await input.some(left);
        if (piece === null) throw new TarError(`it ends in the middle of ${name}`);
        left -= piece.length;
        yield piece;
      }
    };
    yield { name, size, body: body() };
    for (;;) {
      if (left === 0) break;
      const piece = await input.some(left);
      if (piece === null) throw new TarError(`it ends in the middle of ${name}`);
      left -= piece.length;
    }
    if ((await input.exactly(tarPadding(size).length)) === null) throw new TarError('its end is missing');
  }
}

/** To the last byte of the source, which only then knows whether it was cut off. An archive ends with two empty blocks or more. */
async function readEnd(input: Input): Promise<void> {
  const second = await input.exactly(BLOCK);
  if (second === null) throw new TarError('its end is missing');
  for (let piece: Buffer | null = second; piece !== null; piece = await input.some(BLOCK))
    if (piece.some((byte) => byte !== 0)) throw new TarError('data follows its end');
}

function readHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, length: number) => {
    const field = header.subarray(from, from + length);
    const end = field.indexOf(0);
    return field.toString('utf8', 0, end === -1 ? length : end);
  };
  const stated = Number.parseInt(text(148, 8), 8);
  const blanked = Buffer.from(header);
  blanked.fill(' ', 148, 156);
  if (stated !== sumOf(blanked) || text(257, 5) !== 'ustar')
    throw new TarError('a header of it can’t be read');
  const type = text(156, 1);
  const prefix = text(345, PREFIX_BYTES);
  const name = prefix === '' ? text(0, NAME_BYTES) : `${prefix}/${text(0, NAME_BYTES)}`;
  if (type !== '0' && type !== '') throw new TarError(`it has an entry that is no file (${name})`);
  if (!isSafe(name)) throw new TarError('it has an entry that lies outside the target folder');
  const size = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8);
  if (!Number.isSafeInteger(size) || size < 0) throw new TarError('a header of it can’t be read');
  return { name, size };
}

/** Below the folder that it is unpacked into, on any system. */
function isSafe(name: string): boolean {
  return (
    name.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\\0]/.test(name)
  );
}

function split(name: string): { base: string; prefix: string } {
  if (!isSafe(name)) throw new TarError(`"${name}" can’t be a name in an archive`);
  if (Buffer.byteLength(name) <= NAME_BYTES) return { base: name, prefix: '' };
  for (let slash = name.indexOf('/'); slash !== -1; slash = name.indexOf('/', slash + 1)) {
    const prefix = name.slice(0, slash);
    const base = name.slice(slash + 1);
    if (Buffer.byteLength(base) <= NAME_BYTES && Buffer.byteLength(prefix) <= PREFIX_BYTES)
      return { base, prefix };
  }
  throw new TarError(`"${name}" is too long for a name in an archive`);
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

function sumOf(header: Uint8Array): number {
  let sum = 0;
  for (const byte of header) sum += byte;
  return sum;
}

/** Pieces of a stream, by the lengths that the reader asks for. */
class Input {
  readonly #source: AsyncIterator<Uint8Array>;
  #piece: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Between one and so many bytes; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    while (this.#piece.length === 0) {
      const { done, value } = await this.#source.next();
      if (done === true) return null;
      this.#piece = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    const taken = this.#piece.subarray(0, most);
    this.#piece = this.#piece.subarray(taken.length);
    return taken;
  }

  /** Null: the stream ends before. */
  async exactly(bytes: number): Promise<Buffer | null> {
    const pieces: Buffer[] = [];
    for (let left = bytes; left > 0; ) {
      const piece = await this.some(left);
      if (piece === null) return null;
      pieces.push(piece);
      left -= piece.length;
    }
    return Buffer.concat(pieces);
  }
}
