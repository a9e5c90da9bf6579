/**
 * A QR code (ISO/IEC 18004) of a short text, as rows of modules: byte mode, error correction M, versions 1 to 10, which hold 213 bytes. What
 * draws it needs no library then, and no secret leaves for a service that draws one.
 */

/** Per version: codewords in all, error correction codewords per block, blocks (level M). */
const VERSIONS: readonly (readonly [number, number, number])[] = [
  [26, 10, 1],
  [44, 16, 1],
  [70, 26, 1],
  [100, 18, 2],
  [134, 24, 2],
  [172, 16, 4],
  [196, 18, 4],
  [242, 22, 4],
  [292, 22, 5],
  [346, 26, 5],
];
/** Centres of the alignment patterns. */
const ALIGNMENT: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

export interface QrCode {
  /** Modules per side, without the quiet zone of four that whoever draws it leaves around. */
  readonly size: number;
  /** `size` texts of `size` digits; 1 is dark. */
  readonly rows: readonly string[];
}

/** @throws RangeError when the text has more than 213 bytes */
export function qrCode(text: string): QrCode {
  const data = Buffer.from(text, 'utf8');
  const version = VERSIONS.findIndex((_, index) => data.length <= capacity(index + 1)) + 1;
  if (version === 0) throw new RangeError(`A QR code here holds ${capacity(VERSIONS.length)} bytes.`);
  const bits = toBits(interleave(encode(data, version), version));
  const plain = layOut(version);
  const free = place(plain, bits);
  const masked = MASKS.map((_, mask) => withMask(plain, free, mask));
  const best = masked.reduce((one, other) => (penalty(other) < penalty(one) ? other : one));
  return { size: best.length, rows: best.map((row) => row.map((dark) => (dark ? '1' : '0')).join('')) };
}

function shape(version: number): { data: number; correction: number; blocks: number } {
  const [all = 0, correction = 0, blocks = 1] = VERSIONS[version - 1] ?? [];
  return { data: all - correction * blocks, correction, blocks };
}

/** Bytes of text: without mode (4 bits) and length (8 bits, 16 from version 10 on). */
function capacity(version: number): number {
  return shape(version).data - (version < 10 ? 2 : 3);
}

/** Mode, length, text, end, padding. */
function encode(text: Buffer, version: number): Uint8Array {
  const { data } = shape(version);
  const lengthDigits = version < 10 ? 8 : 16;
  const head = `0100${text.length.toString(2).padStart(lengthDigits, '0')}`;
  const body = Array.from(text, (byte) => byte.toString(2).padStart(8, '0')).join('');
  const used = `${head}${body}0000`.slice(0, data * 8);
  const whole = used.padEnd(Math.ceil(used.length / 8) * 8, '0');
  const codewords = new Uint8Array(data);
  for (let index = 0; index < data; index += 1) {
    const byte = whole.slice(index * 8, index * 8 + 8);
    const padding = (index - whole.length / 8) % 2 === 0 ? 0xec : 0x11;
    codewords[index] = byte === '' ? padding : Number.parseInt(byte, 2);
  }
  return codewords;
}

/** Blocks with their error correction, read in columns. The first blocks are one codeword shorter where they don't divide evenly. */
function interleave(codewords: Uint8Array, version: number): Uint8Array {
  const { data, correction, blocks } = shape(version);
  const short = Math.floor(data / blocks);
  const longOnes = data % blocks;
  const parts: { data: Uint8Array; correction: Uint8Array }[] = [];
  for (let index = 0, start = 0; index < blocks; index += 1) {
    const length = short + (index >= blocks - longOnes ? 1 : 0);
    const part = codewords.subarray(start, start + length);
    parts.push({ data: part, correction: remainder(part, correction) });
    start += length;
  }
  const columns = (length: number, of: (part: (typeof parts)[number]) => Uint8Array): number[] =>
    Array.from({ length }, (_, column) =>
      parts.flatMap((part) => [...of(part).subarray(column, column + 1)]),
    ).flat();
  return Uint8Array.from([
    ...columns(short + 1, (part) => part.data),
    ...columns(correction, (part) => part.correction),
  ]);
}

/** Reed-Solomon over GF(256) with 0x11d. */
function remainder(data: Uint8Array, degree: number): Uint8Array {
  const divisor = new Uint8Array(degree);
  divisor[degree - 1] = 1;
  for (let index = 0, root = 1; index < degree; index += 1, root = multiply(root, 2)) {
    for (let place = 0; place < degree; place += 1)
      divisor[place] = multiply(divisor[place] ?? 0, root) ^ (divisor[place + 1] ?? 0);
  }
  const rest = new Uint8Array(degree);
  for (const byte of data) {
    const factor = byte ^ (rest[0] ?? 0);
    rest.copyWithin(0, 1);
    rest[degree - 1] = 0;
    for (let place = 0; place < degree; place += 1)
      rest[place] = (rest[place] ?? 0) ^ multiply(divisor[place] ?? 0, factor);
  }
  return rest;
}

function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((other >> bit) & 1) * one;
  }
  return product & 0xff;
}

function toBits(codewords: Uint8Array): boolean[] {
  return Array.from(codewords).flatMap((byte) =>
    Array.from({ length: 8 }, (_, bit) => ((byte >> (7 - bit)) & 1) === 1),
  );
}

/** Rows of modules; null: free for data. */
type Grid = (boolean | null)[][];

/** Finders, timing, alignment and version; the places of the format are taken, and filled with the mask. */
function layOut(version: number): Grid {
  const size = 17 + 4 * version;
  const grid: Grid = Array.from({ length: size }, () => Array.from({ length: size }, () => null));
  for (let index = 0; index < size; index += 1) {
    set(grid, index, 6, index % 2 === 0);
    set(grid, 6, index, index % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(grid, x, y, 4, (ring) => ring !== 2 && ring !== 4);
  const centres = ALIGNMENT[version - 1] ?? [];
  const last = centres.at(-1);
  for (const x of centres) {
    for (const y of centres) {
      // Where the finders are.
      if ((x === 6 && y === 6) || (x === 6 && y === last) || (x === last && y === 6)) continue;
      square(grid, x, y, 2, (ring) => ring !== 1);
    }
  }
  placeFormat(grid, 0);
  if (version >= 7) placeVersion(grid, version);
  return grid;
}

function square(grid: Grid, x: number, y: number, radius: number, dark: (ring: number) => boolean): void {
  for (let dy = -radius; dy <= radius; dy += 1)
    for (let dx = -radius; dx <= radius; dx += 1)
      set(grid, x + dx, y + dy, dark(Math.max(Math.abs(dx), Math.abs(dy))));
}

/** Level M (00) and the mask, with ten bits of BCH code, twice. */
function placeFormat(grid: Grid, mask: number): void {
  const size = grid.length;
  let rest = mask;
  for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (index: number) => ((bits >> index) & 1) === 1;
  for (let index = 0; index < 6; index += 1) set(grid, 8, index, bit(index));
  set(grid, 8, 7, bit(6));
  set(grid, 8, 8, bit(7));
  set(grid, 7, 8, bit(8));
  for (let index = 9; index < 15; index += 1) set(grid, 14 - index, 8, bit(index));
  for (let index = 0; index < 8; index += 1) set(grid, size - 1 - index, 8, bit(index));
  for (let index = 8; index < 15; index += 1) set(grid, 8, size - 15 + index, bit(index));
  set(grid, 8, size - 8, true);
}

function placeVersion(grid: Grid, version: number): void {
  let rest = version;
  for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let index = 0; index < 18; index += 1) {
    const dark = ((bits >> index) & 1) === 1;
    const far = grid.length - 11 + (index % 3);
    const near = Math.floor(index / 3);
    set(grid, far, near, dark);
    set(grid, near, far, dark);
  }
}

/** Two columns at a time from the right, up and down in turn, around the column of the timing. @returns where data lies, as `x,y` */
function place(grid: Grid, bits: readonly boolean[]): ReadonlySet<string> {
  const size = grid.length;
  const free = new Set<string>();
  let next = 0;
  for (const right of pairs(size)) {
    for (let step = 0; step < size; step += 1) {
      for (const x of [right, right - 1]) {
        const upward = ((right + 1) & 2) === 0;
        const y = upward ? size - 1 - step : step;
        if (grid[y]?.[x] !== null) continue;
        set(grid, x, y, bits[next] ?? false);
        free.add(`${x},${y}`);
        next += 1;
      }
    }
  }
  return free;
}

/** The right column of each pair; the timing's column is skipped. */
function pairs(size: number): number[] {
  const columns = Array.from({ length: (size - 1) / 2 }, (_, index) => size - 1 - 2 * index);
  return columns.map((column) => (column <= 6 ? column - 1 : column));
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function withMask(grid: Grid, free: ReadonlySet<string>, mask: number): boolean[][] {
  const inverts = MASKS[mask];
  const masked: Grid = grid.map((row, y) =>
    row.map((dark, x) => (dark === true) !== (free.has(`${x},${y}`) && inverts?.(x, y) === true)),
  );
  placeFormat(masked, mask);
  return masked.map((row) => row.map((dark) => dark === true));
}

/** What makes a code hard to read: long runs, blocks, look-alikes of the finder, and more of one than of the other. */
function penalty(grid: readonly (readonly boolean[])[]): number {
  const size = grid.length;
  const rows = grid.map((row) => row.map((dark) => (dark ? '1' : '0')).join(''));
  const columns = Array.from({ length: size }, (_, x) => rows.map((row) => row.charAt(x)).join(''));
  let points = 0;
  for (const line of [...rows, ...columns]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2;
    points += 40 * [...line.matchAll(/(?=10111010000|00001011101)/g)].length;
  }
  for (let y = 0; y + 1 < size; y += 1) {
    const [upper = '', lower = ''] = rows.slice(y, y + 2);
    for (let x = 0; x + 1 < size; x += 1) {
      const four = upper.slice(x, x + 2) + lower.slice(x, x + 2);
      if (four === '0000' || four === '1111') points += 3;
    }
  }
  const dark = rows.join('').replaceAll('0', '').length;
  return points + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10));
}

function set(grid: Grid, x: number, y: number, dark: boolean): void {
  const row = grid[y];
  if (row !== undefined && x >= 0 && x < grid.length) row[x] = dark;
}
