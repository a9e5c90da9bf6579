/**
 * Requests whose body comes in chunks of a few bytes. Node's parser takes a microsecond for each chunk, and takes apart all that it reads of a
 * connection in one go; what listens to the body takes more. So small pieces are handed on together, and all that come in them have together a
 * tenth of this thread: a connection that has had more than its part isn't read for a while. A request of twenty thousand of them is given up, and
 * one of chunks of less than four bytes, which say little but framing, after the first thousand. Log lines are longer.
 */
import { IncomingMessage } from 'node:http';

/** A shorter piece is kept back until more has come, or the event loop has turned. */
const SMALL_BYTES = 32;
const KEPT_BYTES = 16 * 1024;
/** Small pieces between two looks at the time. */
const LOOK_EVERY = 256;
/** Of parser and stream, for a small piece. */
const MS_A_PIECE = 0.001;
/** How many times as long as was worked on small pieces nothing is read in which they come. */
const REST_FACTOR = 10;
const MAX_SMALL = 20_000;
const CRUMBS_AFTER = 1_024;
/** A chunk may arrive in two parts: hence not four. */
const MIN_MEAN_BYTES = 3.5;

/**
 * @param onCrumbs answers a request that is given up, and ends its connection
 * @param now monotonic milliseconds
 */
export function patientRequests(
  onCrumbs: (request: IncomingMessage) => void,
  now: () => number = () => performance.now(),
): typeof IncomingMessage {
  /** When all that was read in small pieces so far has been rested for. */
  let freeAt = 0;
  const charge = (pieces: number): number => {
    freeAt = Math.max(freeAt, now()) + pieces * MS_A_PIECE * REST_FACTOR;
    return freeAt;
  };

  return class PatientRequest extends IncomingMessage {
    #kept: Buffer | null = null;
    #keptBytes = 0;
    #small = 0;
    #smallBytes = 0;
    #restsUntil = 0;
    #isResting = false;
    /** Whether the body's reader has room for more. */
    #hasRoom = true;
    #isGivenUp = false;

    /** Called by the parser. False: the connection is not read for now. */
    override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
      if (this.#isGivenUp) return false;
      if (piece !== null && piece.length < SMALL_BYTES) this.#keep(piece);
      else {
        this.#flush();
        this.#hasRoom = super.push(piece, encoding);
      }
      return this.#hasRoom && !this.#isResting;
    }

    /** Called by the reader. */
    override _read(bytes: number): void {
      this.#hasRoom = true;
      if (!this.#isResting) super._read(bytes);
    }

    #keep(piece: Buffer): void {
      this.#small += 1;
      this.#smallBytes += piece.length;
      if (this.#small % LOOK_EVERY === 0) this.#look();
      if (this.#isGivenUp) return;
      if (this.#kept === null) {
        // Most small bodies are one piece, and need no copy.
        this.#kept = piece;
        this.#keptBytes = piece.length;
        setImmediate(() => this.#flush());
        return;
      }
      if (this.#keptBytes + piece.length > this.#kept.length) this.#grow();
      this.#keptBytes += piece.copy(this.#kept, this.#keptBytes);
      if (this.#keptBytes > KEPT_BYTES - SMALL_BYTES) this.#flush();
    }

    #grow(): void {
      const grown = Buffer.allocUnsafe(KEPT_BYTES);
      this.#kept?.copy(grown, 0, 0, this.#keptBytes);
      this.#kept = grown;
    }

    #flush(): void {
      const kept = this.#kept;
      if (kept === null) return;
      this.#kept = null;
      this.#hasRoom = super.push(kept.subarray(0, this.#keptBytes));
    }

    #look(): void {
      const isCrumbs = this.#small >= CRUMBS_AFTER && this.#smallBytes < this.#small * MIN_MEAN_BYTES;
      if (isCrumbs || this.#small > MAX_SMALL) {
        this.#giveUp();
        return;
      }
      this.#restsUntil = charge(LOOK_EVERY);
      if (this.#isResting || this.#restsUntil - now() < 1) return;
      this.#isResting = true;
      this.#rest();
    }

    #rest(): void {
      setTimeout(() => {
        if (this.#restsUntil > now() + 1) {
          this.#rest();
          return;
        }
        this.#isResting = false;
        if (this.#hasRoom && !this.destroyed) super._read(0);
      }, this.#restsUntil - now()).unref();
    }

    #giveUp(): void {
      this.#isGivenUp = true;
      this.#kept = null;
      onCrumbs(this);
    }
  };
}
