/**
 * Finds values in a JSON document while it streams in: the elements of nested arrays, each by itself, so that a body of 64 MiB needs the
 * memory of one of them. It looks at quotes and brackets alone; what it hands out is checked by the reader that gets it.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Objects and arrays in one another. */
const MAX_DEPTH = 64;
/** No name that is looked for is longer. */
const MAX_KEY_BYTES = 64;

export interface WalkSink {
  /** A piece of a text that is looked for, as it stands between its quotes. */
  text(piece: Buffer): void;
  textEnd(): void;
  /** A piece of an object that is looked for, braces included. */
  object(piece: Buffer): void;
  objectEnd(): void;
}

/** In the structure of the document, in a string, or in what is looked for. */
type Place = 'structure' | 'key' | 'string' | 'text' | 'object' | 'object string';

export class JsonWalk {
  /** Names of the members on the way to what is looked for, from the outside in. Arrays on the way count for nothing. */
  readonly #way: readonly (readonly string[])[];
  readonly #sink: WalkSink;
  #place: Place = 'structure';
  #isEscaped = false;
  /** What we are inside of: an object, or an array. */
  readonly #inside: ('object' | 'array')[] = [];
  /** For each object that we are inside of, the member that we are at. */
  readonly #members: string[] = [];
  #isKeyNext = false;
  #key = '';
  /** Depth within an object that is looked for. */
  #inner = 0;
  #hasBegun = false;
  #isBroken = false;

  constructor(way: readonly (readonly string[])[], sink: WalkSink) {
    this.#way = way;
    this.#sink = sink;
  }

  /** Whether the document looks whole: it has begun, and is closed. */
  get isWhole(): boolean {
    return this.#hasBegun && !this.#isBroken && this.#inside.length === 0 && this.#place === 'structure';
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#isBroken) {
      if (this.#place === 'structure') at = this.#structure(chunk, at);
      else if (this.#place === 'object') at = this.#object(chunk, at);
      else at = this.#string(chunk, at);
    }
  }

  #structure(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === QUOTE) {
        if (this.#isKeyNext) {
          this.#place = 'key';
          this.#key = '';
        } else this.#place = this.#isThere() ? 'text' : 'string';
        return at + 1;
      }
      if (byte === OPEN_BRACE && this.#isThere()) {
        this.#place = 'object';
        return at;
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#open(byte === OPEN_BRACE ? 'object' : 'array');
      else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#close();
      else if (byte === COMMA) this.#isKeyNext = this.#inside.at(-1) === 'object';
      else if (byte === COLON) this.#isKeyNext = false;
      if (this.#isBroken) return chunk.length;
    }
    return chunk.length;
  }

  #open(kind: 'object' | 'array'): void {
    this.#hasBegun = true;
    if (this.#inside.length === MAX_DEPTH) {
      this.#isBroken = true;
      return;
    }
    this.#inside.push(kind);
    if (kind === 'object') this.#members.push('');
    this.#isKeyNext = kind === 'object';
  }

  #close(): void {
    const kind = this.#inside.pop();
    if (kind === undefined) this.#isBroken = true;
    if (kind === 'object') this.#members.pop();
    this.#isKeyNext = false;
  }

  /** Whether the value that begins here is looked for. */
  #isThere(): boolean {
    return (
      this.#members.length === this.#way.length &&
      this.#way.every((names, depth) => names.includes(this.#members[depth] ?? ''))
    );
  }

  /** Up to the quote that ends the string. */
  #string(chunk: Buffer, start: number): number {
    let from = start;
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) {
        // Base64 may have its slashes escaped; other escapes don't occur in it.
        this.#take(chunk.subarray(from, at));
        from = this.#place === 'object string' ? at : at + 1;
        this.#isEscaped = true;
      } else if (byte === QUOTE) {
        this.#take(chunk.subarray(from, this.#place === 'object string' ? at + 1 : at));
        this.#endString();
        return at + 1;
      }
    }
    this.#take(chunk.subarray(from));
    return chunk.length;
  }

  #take(piece: Buffer): void {
    if (piece.length === 0) return;
    if (this.#place === 'text') this.#sink.text(piece);
    else if (this.#place === 'object string') this.#sink.object(piece);
    else if (this.#place === 'key' && this.#key.length <= MAX_KEY_BYTES)
      this.#key += piece.toString('latin1', 0, MAX_KEY_BYTES);
  }

  #endString(): void {
    if (this.#place === 'key') {
      this.#members[this.#members.length - 1] = this.#key;
      this.#isKeyNext = false;
    } else if (this.#place === 'text') this.#sink.textEnd();
    this.#place = this.#place === 'object string' ? 'object' : 'structure';
  }

  /** Up to the next string in the object, or to its end. */
  #object(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.#inner += 1;
      else if (byte === QUOTE) {
        this.#sink.object(chunk.subarray(start, at + 1));
        this.#place = 'object string';
        return at + 1;
      } else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --this.#inner === 0) {
        this.#sink.object(chunk.subarray(start, at + 1));
        this.#sink.objectEnd();
        this.#place = 'structure';
        return at + 1;
      }
    }
    this.#sink.object(chunk.subarray(start));
    return chunk.length;
  }
}
