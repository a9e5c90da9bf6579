/**
 * Writes a body as one object a line, whatever stood between its objects: senders also post one JSON array, or objects one behind the other
 * without anything between them. A body whose first object is a line of its own is left as it is from there on.
 *
 * It looks at quotes and braces alone. What it takes for an object may be no JSON; the reader of lines finds that out.
 */

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Before or between elements. */
const BETWEEN = 0;
/** In an object, outside of its strings. */
const OBJECT = 1;
const STRING = 2;
/** Behind a backslash in a string. */
const ESCAPE = 3;
/** In something that is no object: it ends at a separator. */
const OTHER = 4;
/** Behind the first object, before what tells the form of the body. */
const FIRST_ENDED = 5;

export class Unframe {
  /** Undecided until something follows the first object. `lines`: nothing is changed any more. */
  #form: 'undecided' | 'lines' | 'elements' = 'undecided';
  #place = BETWEEN;
  #depth = 0;
  /** An object over several lines is no line, whatever follows it. */
  #hasInnerFeed = false;
  /** The last byte was a line feed inside of an object. */
  #isBehindFeed = false;
  #markBytes = 0;
  #copied = 0;
  #passed = 0;
  /** What is handed out. Made anew for each chunk, it would have the collector of garbage go through the whole heap every few megabytes. */
  #out = Buffer.alloc(0);

  /** How many line feeds and commas that stood between elements were left out since the last call. */
  takePassed(): number {
    const passed = this.#passed;
    this.#passed = 0;
    return passed;
  }

  /** @returns the same bytes, or the same elements with a line feed between them; at most twice as long, and to be read before the next call */
  push(chunk: Buffer): Buffer {
    if (this.#form === 'lines') return chunk;
    if (this.#out.length < chunk.length * 2) this.#out = Buffer.allocUnsafe(chunk.length * 2);
    const out = this.#out;
    let to = 0;
    for (let from = 0; from < chunk.length; from++) {
      from = this.#skip(chunk, from);
      to = this.#copy(chunk, from, out, to);
      from += this.#copied;
      if (from >= chunk.length) break;
      const byte = chunk[from] as number;
      if (this.#isMark(byte)) continue;
      if (this.#form === 'undecided' && this.#isOfLines(byte)) {
        this.#form = 'lines';
        // The first line was cut short: its line feed was written as a blank.
        if (this.#isBehindFeed) out[to++] = LINE_FEED;
        return Buffer.concat([out.subarray(0, to), chunk.subarray(from)]);
      }
      to = this.#write(byte, out, to);
    }
    return out.subarray(0, to);
  }

  /** Behind what only stands between elements. */
  #skip(chunk: Buffer, start: number): number {
    if (this.#place !== BETWEEN) return start;
    let at = start;
    let feeds = 0;
    for (; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === LINE_FEED || (byte === COMMA && this.#form === 'elements')) feeds += 1;
      else if (byte !== BLANK) break;
    }
    this.#passed += feeds;
    return at;
  }

  /** Bytes in the middle of a string or an object, which go as they are. */
  #copy(chunk: Buffer, start: number, out: Buffer, to: number): number {
    let from = start;
    let at = to;
    if (this.#place === STRING) {
      for (; from < chunk.length; from++) {
        const byte = chunk[from] as number;
        if (byte === QUOTE || byte === BACKSLASH || byte === LINE_FEED) break;
        out[at++] = byte;
      }
    } else if (this.#place === OBJECT && !this.#isBehindFeed) {
      for (; from < chunk.length; from++) {
        const byte = chunk[from] as number;
        if (byte === QUOTE || byte === OPEN_BRACE || byte === CLOSE_BRACE || byte === LINE_FEED) break;
        out[at++] = byte;
      }
    }
    this.#copied = from - start;
    return at;
  }

  #isMark(byte: number): boolean {
    if (this.#markBytes === BYTE_ORDER_MARK.length) return false;
    if (byte === BYTE_ORDER_MARK[this.#markBytes]) {
      this.#markBytes += 1;
      return true;
    }
    this.#markBytes = BYTE_ORDER_MARK.length;
    return false;
  }

  /** Whether this byte shows that the body is lines. */
  #isOfLines(byte: number): boolean {
    switch (this.#place) {
      case BETWEEN:
        return byte !== OPEN_BRACE && byte !== OPEN_BRACKET && !isBlank(byte);
      case OBJECT:
        return this.#isBehindFeed && (byte === OPEN_BRACE || byte === OPEN_BRACKET);
      case STRING:
      case ESCAPE:
        return byte === LINE_FEED;
      default:
        return byte === LINE_FEED && !this.#hasInnerFeed;
    }
  }

  /** @returns where the next byte goes */
  #write(byte: number, out: Buffer, at: number): number {
    let to = at;
    switch (this.#place) {
      case STRING:
        if (byte === QUOTE) this.#place = OBJECT;
        else if (byte === BACKSLASH) this.#place = ESCAPE;
        // No string of JSON has one: whatever this was, it ended here.
        else if (byte === LINE_FEED) this.#place = BETWEEN;
        out[to++] = byte;
        return to;
      case ESCAPE:
        this.#place = byte === LINE_FEED ? BETWEEN : STRING;
        out[to++] = byte;
        return to;
      case OBJECT:
        return this.#inObject(byte, out, to);
      case FIRST_ENDED:
        if (isBlank(byte)) return to;
        this.#form = 'elements';
        this.#place = BETWEEN;
        out[to++] = LINE_FEED;
        return this.#outside(byte, out, to);
      default:
        return this.#outside(byte, out, to);
    }
  }

  #inObject(byte: number, out: Buffer, at: number): number {
    let to = at;
    const isBehindFeed = this.#isBehindFeed;
    this.#isBehindFeed = byte === LINE_FEED;
    if (byte === LINE_FEED) {
      this.#hasInnerFeed = true;
      out[to++] = BLANK;
    } else if (byte === OPEN_BRACE && isBehindFeed) {
      // At the start of a line: the element before it was cut short.
      out[to++] = LINE_FEED;
      out[to++] = byte;
      this.#depth = 1;
    } else {
      out[to++] = byte;
      if (byte === QUOTE) this.#place = STRING;
      else if (byte === OPEN_BRACE) this.#depth += 1;
      else if (byte === CLOSE_BRACE && --this.#depth === 0) {
        if (this.#form === 'undecided') this.#place = FIRST_ENDED;
        else {
          this.#place = BETWEEN;
          out[to++] = LINE_FEED;
        }
      }
    }
    return to;
  }

  /** Between elements, or in one that is no object. */
  #outside(byte: number, out: Buffer, at: number): number {
    let to = at;
    const isSeparator = byte === COMMA || byte === OPEN_BRACKET || byte === CLOSE_BRACKET || isBlank(byte);
    if (byte === OPEN_BRACKET) this.#form = 'elements';
    if (isSeparator || byte === OPEN_BRACE) {
      if (this.#place === OTHER) out[to++] = LINE_FEED;
      this.#place = BETWEEN;
      if (isSeparator) return to;
      this.#place = OBJECT;
      this.#depth = 1;
      this.#isBehindFeed = false;
    } else this.#place = OTHER;
    out[to++] = byte;
    return to;
  }
}

function isBlank(byte: number): boolean {
  return byte === BLANK || byte === LINE_FEED || byte === TAB || byte === CARRIAGE_RETURN;
}
