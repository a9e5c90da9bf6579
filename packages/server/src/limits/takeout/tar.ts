/** A tar archive (ustar), written entry by entry: each is whole in memory, and so bounded by what made it. */

const BLOCK = 512;
const MAX_NAME = 100;

/** Header, content and padding of one file. @param at epoch milliseconds @throws RangeError for a name that does not fit */
export function tarEntry(name: string, content: Uint8Array, at: number): Buffer {
  if (Buffer.byteLength(name) > MAX_NAME) throw new RangeError('The name of an entry is too long');
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(
    `${Math.floor(at / 1_000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  );
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]);
}

export const TAR_END = Buffer.alloc(2 * BLOCK);
