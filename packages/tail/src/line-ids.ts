/**
 * The id of a visit whose line names none: the same for the same line, wherever it stands. A file may be rotated, compressed, copied and
 * imported again, and its lines are still known. Lines that are equal byte by byte are numbered in their order.
 */
import { createHash } from 'node:crypto';

/** Equal lines are of one second, and so stand near each other. */
const REMEMBERED = 2_000;
/** Of the digest; as hexadecimal digits. */
const ID_LENGTH = 32;

/** Digest → how many lines it had. */
export type LineCounts = readonly (readonly [digest: string, count: number])[];

export class LineIds {
  readonly #stream: string;
  readonly #seen: Map<string, number>;

  /**
   * @param stream tells logs of several servers apart that may hold equal lines; empty: one server
   * @param counts of an earlier run
   */
  constructor(stream: string, counts: LineCounts = []) {
    this.#stream = stream;
    this.#seen = new Map(counts);
  }

  idOf(line: Buffer): string {
    const digest = createHash('sha256')
      .update(`${this.#stream}\n`)
      .update(line)
      .digest('hex')
      .slice(0, ID_LENGTH);
    const before = this.#seen.get(digest) ?? 0;
    if (before === 0 && this.#seen.size >= REMEMBERED) {
      const [oldest = ''] = this.#seen.keys();
      this.#seen.delete(oldest);
    }
    this.#seen.set(digest, before + 1);
    if (before === 0) return digest;
    return createHash('sha256').update(`${digest}\n${before}`).digest('hex').slice(0, ID_LENGTH);
  }

  counts(): LineCounts {
    return [...this.#seen];
  }
}
