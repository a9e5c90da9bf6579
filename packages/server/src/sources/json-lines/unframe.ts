/**
 * Writes a body as one object a line, whatever stood between its objects: senders also post one JSON array, or concatenated objects
 * without anything between them. A body whose first object is a line of its own is left as it is from there on.
 *
 * It looks at quotes and braces alone. What it takes for an object may be no JSON; the reader of lines finds that out.
 */

import { isUniform } from '../../common/index.ts';

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
  /** The byte where the last reading stopped showed that the body is lines. */
  #isLines = false;
  #markBytes = 0;
  #passed = 0;
  /** What is handed out. Created for each chunk, it would make the garbage collector go through the whole heap every few megabytes. */
  #out = Buffer.alloc(0);
  #to = 0;

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
    this.#to = 0;
    if (this.#passesOver(chunk)) return this.#out.subarray(0, 0);
    let at = this.#behindMark(chunk);
    while (at < chunk.length) {
      at = this.#readOn(chunk, at);
      if (this.#isLines) {
        this.#form = 'lines';
        // The first line was cut short: its line feed was written as a blank.
        if (this.#isBehindFeed) this.#out[this.#to++] = LINE_FEED;
        return Buffer.concat([this.#out.subarray(0, this.#to), chunk.subarray(at)]);
      }
    }
    return this.#out.subarray(0, this.#to);
  }

  /** Between elements, a chunk of one byte again and again is compared, not read: a hundred times as fast. */
  #passesOver(chunk: Buffer): boolean {
    const [byte] = chunk;
    const isCounted = byte === LINE_FEED || (byte === COMMA && this.#form === 'elements');
    const isSkipped = isCounted || byte === BLANK || byte === OPEN_BRACKET;
    if (this.#place !== BETWEEN || !isSkipped || !isUniform(chunk)) return false;
    if (byte === OPEN_BRACKET) {
      this.#form = 'elements';
      this.#markBytes = BYTE_ORDER_MARK.length;
    }
    if (isCounted) this.#passed += chunk.length;
    return true;
  }

  /** A byte order mark is left out. */
  #behindMark(chunk: Buffer): number {
    let at = 0;
    while (this.#markBytes < BYTE_ORDER_MARK.length && at < chunk.length) {
      const byte = chunk[at] as number;
      if (byte === LINE_FEED) this.#passed += 1;
      else if (byte === BYTE_ORDER_MARK[this.#markBytes]) this.#markBytes += 1;
      else if (byte !== BLANK) {
        this.#markBytes = BYTE_ORDER_MARK.length;
        break;
      }
      at += 1;
    }
    return at;
  }

  /**
   * Reads on until the place changes. A sender decides how often that is, down to every byte of a gigabyte: so each place has a loop of its own over
   * plain variables, a few nanoseconds for a byte of whatever shape.
   * @returns behind what was read
   */
  #readOn(chunk: Buffer, start: number): number {
    switch (this.#place) {
      case STRING:
        return this.#inString(chunk, start);
      case ESCAPE:
        return this.#behindBackslash(chunk, start);
      case OBJECT:
        return this.#inObject(chunk, start);
      case OTHER:
        return this.#inOther(chunk, start);
      case FIRST_ENDED:
        return this.#behindFirst(chunk, start);
      default:
        return this.#between(chunk, start);
    }
  }

  #between(chunk: Buffer, start: number): number {
    const { length } = chunk;
    let isUndecided = this.#form === 'undecided';
    let passed = 0;
    let at = start;
    for (; at < length; at++) {
      const byte = chunk[at] as number;
      if (byte === LINE_FEED) passed += 1;
      else if (byte === BLANK || byte === TAB || byte === CARRIAGE_RETURN) continue;
      else if (byte === OPEN_BRACE) {
        this.#begin();
        at += 1;
        break;
      } else if (byte === OPEN_BRACKET) {
        isUndecided = false;
        this.#form = 'elements';
      } else if (isUndecided) {
        this.#isLines = true;
        break;
      } else if (byte === COMMA) passed += 1;
      else if (byte !== CLOSE_BRACKET) {
        this.#place = OTHER;
        break;
      }
    }
    this.#passed += passed;
    return at;
  }

  /** An opening brace. */
  #begin(): void {
    this.#place = OBJECT;
    this.#depth = 1;
    this.#isBehindFeed = false;
    this.#out[this.#to++] = OPEN_BRACE;
  }

  /** What is no object ends at a separator, or where an object begins. */
  #inOther(chunk: Buffer, start: number): number {
    const { length } = chunk;
    const out = this.#out;
    let to = this.#to;
    let at = start;
    for (; at < length; at++) {
      const byte = chunk[at] as number;
      if (byte === OPEN_BRACE || isSeparator(byte)) {
        out[to++] = LINE_FEED;
        this.#place = BETWEEN;
        // It separates, and is not one of those that are counted. The brace is read again.
        if (byte !== OPEN_BRACE) at += 1;
        break;
      }
      out[to++] = byte;
    }
    this.#to = to;
    return at;
  }

  #inString(chunk: Buffer, start: number): number {
    const { length } = chunk;
    const out = this.#out;
    let to = this.#to;
    let at = start;
    for (; at < length; at++) {
      const byte = chunk[at] as number;
      if (byte === LINE_FEED) {
        // No string of JSON has one: whatever this was, it ended here.
        if (this.#form === 'undecided') this.#isLines = true;
        else {
          this.#place = BETWEEN;
          out[to++] = byte;
          at += 1;
        }
        break;
      }
      out[to++] = byte;
      if (byte === QUOTE || byte === BACKSLASH) {
        this.#place = byte === QUOTE ? OBJECT : ESCAPE;
        at += 1;
        break;
      }
    }
    this.#to = to;
    return at;
  }

  #behindBackslash(chunk: Buffer, at: number): number {
    const byte = chunk[at] as number;
    if (byte === LINE_FEED && this.#form === 'undecided') {
      this.#isLines = true;
      return at;
    }
    this.#place = byte === LINE_FEED ? BETWEEN : STRING;
    this.#out[this.#to++] = byte;
    return at + 1;
  }

  #inObject(chunk: Buffer, start: number): number {
    const { length } = chunk;
    const out = this.#out;
    const isUndecided = this.#form === 'undecided';
    let to = this.#to;
    let depth = this.#depth;
    let isBehindFeed = this.#isBehindFeed;
    let at = start;
    for (; at < length; at++) {
      const byte = chunk[at] as number;
      if (byte === LINE_FEED) {
        this.#hasInnerFeed = true;
        isBehindFeed = true;
        out[to++] = BLANK;
        continue;
      }
      if (isBehindFeed) {
        if (isUndecided && (byte === OPEN_BRACE || byte === OPEN_BRACKET)) {
          this.#isLines = true;
          break;
        }
        isBehindFeed = false;
        if (byte === OPEN_BRACE) {
          // At the start of a line: the element before it was cut short.
          out[to++] = LINE_FEED;
          depth = 0;
        }
      }
      out[to++] = byte;
      if (byte === QUOTE) {
        this.#place = STRING;
        at += 1;
        break;
      }
      if (byte === OPEN_BRACE) depth += 1;
      else if (byte === CLOSE_BRACE && --depth === 0) {
        if (isUndecided) this.#place = FIRST_ENDED;
        else {
          this.#place = BETWEEN;
          out[to++] = LINE_FEED;
        }
        at += 1;
        break;
      }
    }
    this.#to = to;
    this.#depth = depth;
    this.#isBehindFeed = isBehindFeed;
    return at;
  }

  #behindFirst(chunk: Buffer, start: number): number {
    let at = start;
    for (; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === LINE_FEED && !this.#hasInnerFeed) {
        this.#isLines = true;
        break;
      }
      if (!isBlank(byte)) {
        this.#form = 'elements';
        this.#place = BETWEEN;
        this.#out[this.#to++] = LINE_FEED;
        // What separates the first two is not one of those that are counted.
        if (isSeparator(byte)) at += 1;
        break;
      }
    }
    return at;
  }
}

function isSeparator(byte: number): boolean {
  return byte === COMMA || byte === OPEN_BRACKET || byte === CLOSE_BRACKET || isBlank(byte);
}

function isBlank(byte: number): boolean {
  return byte === BLANK || byte === LINE_FEED || byte === TAB || byte === CARRIAGE_RETURN;
}
