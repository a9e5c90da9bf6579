/**
 * A long line without the members that are not read. Parsing a line of a megabyte can take a hundred milliseconds, depending on what is in it;
 * walking over it once takes two.
 */

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** No name that is read is longer, in whatever escapes it is written. */
const MAX_KEY_BYTES = 200;
/** Names in escapes that are looked at. */
const MAX_ESCAPED_KEYS = 64;
/** Ordinary lines have about a hundred; one that is short enough not to come here has less than this. */
const MAX_MEMBERS = 4_000;

export type SlimFault = 'not_json' | 'too_many_members';
export type Slimmed = { readonly text: string } | { readonly fault: SlimFault };

const NO_OBJECT: Slimmed = { fault: 'not_json' };

/**
 * @param line the bytes of what should be one object
 * @param names the members to keep
 * @param nestedBytes how long a nested value may be to be kept
 * @returns a JSON object of the last member of each name, with `[]` for longer nested values; or why the line is none
 */
export function slimLine(line: Uint8Array, names: Names, nestedBytes = 0): Slimmed {
  const walk = new Walk(line);
  const kept = new Map<string, string>();
  let escapedKeys = 0;
  let members = 0;
  walk.blanks();
  if (!walk.takes(OPEN_BRACE)) return NO_OBJECT;
  walk.blanks();
  if (walk.takes(CLOSE_BRACE)) return walk.isOver() ? { text: '{}' } : NO_OBJECT;
  do {
    members += 1;
    if (members > MAX_MEMBERS) return { fault: 'too_many_members' };
    walk.blanks();
    const key = walk.string();
    walk.blanks();
    if (key === null || !walk.takes(COLON)) return NO_OBJECT;
    walk.blanks();
    const name = names.find(line, key, () => ++escapedKeys <= MAX_ESCAPED_KEYS);
    const value = walk.value();
    if (value === null) return NO_OBJECT;
    const isTooDeep = value.isNested && value.end - value.start > nestedBytes;
    if (name !== null) kept.set(name, isTooDeep ? '[]' : textOf(line, value));
    walk.blanks();
  } while (walk.takes(COMMA));
  if (!walk.takes(CLOSE_BRACE) || !walk.isOver()) return NO_OBJECT;
  return { text: `{${[...kept].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}` };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

class Walk {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  blanks(): void {
    const bytes = this.#bytes;
    while (this.#at < bytes.length && isBlank(bytes[this.#at] as number)) this.#at += 1;
  }

  takes(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at += 1;
    return true;
  }

  isOver(): boolean {
    this.blanks();
    return this.#at === this.#bytes.length;
  }

  /** The string that begins here, with its quotes. */
  string(): Range | null {
    const start = this.#at;
    if (!this.takes(QUOTE)) return null;
    return this.#toQuote() ? { start, end: this.#at } : null;
  }

  /** The value that begins here. */
  value(): (Range & { readonly isNested: boolean }) | null {
    const start = this.#at;
    const first = this.#bytes[start];
    if (first === QUOTE) {
      const text = this.string();
      return text === null ? null : { ...text, isNested: false };
    }
    const isNested = first === OPEN_BRACE || first === OPEN_BRACKET;
    if (isNested ? !this.#nested() : !this.#scalar()) return null;
    return { start, end: this.#at, isNested };
  }

  #scalar(): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    for (; this.#at < bytes.length; this.#at += 1) {
      const byte = bytes[this.#at] as number;
      if (byte === COMMA || byte === CLOSE_BRACE || isBlank(byte)) break;
    }
    return this.#at > start;
  }

  #nested(): boolean {
    const bytes = this.#bytes;
    let depth = 0;
    for (let at = this.#at; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.#at = at + 1;
        if (!this.#toQuote()) return false;
        at = this.#at - 1;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) {
        this.#at = at + 1;
        return true;
      }
    }
    return false;
  }

  /** Behind the quote that ends the string we are in. */
  #toQuote(): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) {
      if (byte === undefined) return false;
      at += byte === BACKSLASH ? 2 : 1;
    }
    this.#at = at + 1;
    return true;
  }
}

/** Names as bytes by their length: a key is compared where it stands, without making a text of it. */
export class Names {
  readonly #byLength = new Map<number, { readonly name: string; readonly bytes: Buffer }[]>();
  readonly #all: ReadonlySet<string>;

  constructor(names: Iterable<string>) {
    this.#all = new Set(names);
    for (const name of this.#all) {
      const same = this.#byLength.get(name.length) ?? [];
      same.push({ name, bytes: Buffer.from(name, 'latin1') });
      this.#byLength.set(name.length, same);
    }
  }

  /** @param key with its quotes @param mayUnescape asked before a key is parsed @returns the name, or null when it is none of ours */
  find(line: Uint8Array, { start, end }: Range, mayUnescape: () => boolean): string | null {
    for (const { name, bytes } of this.#byLength.get(end - start - 2) ?? [])
      if (isAt(line, start + 1, bytes)) return name;
    if (end - start > MAX_KEY_BYTES || !hasEscape(line, start, end) || !mayUnescape()) return null;
    try {
      const name = JSON.parse(textOf(line, { start, end })) as string;
      return this.#all.has(name) ? name : null;
    } catch {
      return null;
    }
  }
}

function isAt(line: Uint8Array, at: number, bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (line[at + i] !== bytes[i]) return false;
  return true;
}

function hasEscape(line: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (line[at] === BACKSLASH) return true;
  return false;
}

function textOf(line: Uint8Array, { start, end }: Range): string {
  return Buffer.from(line.buffer, line.byteOffset + start, end - start).toString();
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === LINE_FEED || byte === 0x09 || byte === 0x0d;
}
