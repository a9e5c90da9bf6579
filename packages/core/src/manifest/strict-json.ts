/**
 * Reads JSON under the manifest's profile: no member twice, names in ASCII, integers that every language holds exactly, strings that
 * UTF-8 can write. JSON.parse can refuse none of these, and each is a way to show two readers two different documents under one
 * signature.
 */
import { isAsciiName, type JsonObject, type JsonValue, pointerOf, utf8Length } from '../json.ts';

export type StrictJsonFault =
  | 'too_large'
  | 'not_json'
  | 'too_deep'
  | 'duplicate_member'
  | 'non_ascii_member'
  | 'lone_surrogate'
  | 'unsafe_number';

export class StrictJsonError extends Error {
  override readonly name = 'StrictJsonError';
  readonly fault: StrictJsonFault;
  /** JSON pointer to the place; empty for the whole document. */
  readonly pointer: string;

  constructor(fault: StrictJsonFault, pointer: string) {
    super(`${fault} at ${pointer || 'the root'}`);
    this.fault = fault;
    this.pointer = pointer;
  }
}

export interface StrictJsonLimits {
  /** UTF-8. */
  readonly maxBytes: number;
  /** Arrays and objects inside one another. */
  readonly maxDepth: number;
}

const DEFAULT_LIMITS: StrictJsonLimits = { maxBytes: 256 * 1024, maxDepth: 32 };

/**
 * @param document bytes must be UTF-8 without a byte order mark
 * @throws StrictJsonError
 */
export function parseStrictJson(document: string | Uint8Array, limits = DEFAULT_LIMITS): JsonValue {
  return new Reader(textOf(document, limits.maxBytes), limits.maxDepth).document();
}

function textOf(document: string | Uint8Array, maxBytes: number): string {
  // The length in code units first: a text far too long is not even encoded.
  if (document.length > maxBytes) throw new StrictJsonError('too_large', '');
  if (typeof document === 'string') {
    if (utf8Length(document) > maxBytes) throw new StrictJsonError('too_large', '');
    return document;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(document);
  } catch {
    throw new StrictJsonError('not_json', '');
  }
}

const LITERALS: readonly (readonly [string, JsonValue])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
];

class Reader {
  private at = 0;
  private readonly text: string;
  private readonly maxDepth: number;
  private readonly path: (string | number)[] = [];
  private readonly number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
  /** Up to the closing quote. No nested repetition: a text without one must not take quadratic time. */
  private readonly string = /"(?:[^"\\]|\\.)*"/y;
  private readonly blank = /[ \t\n\r]*/y;

  constructor(text: string, maxDepth: number) {
    this.text = text;
    this.maxDepth = maxDepth;
  }

  document(): JsonValue {
    const value = this.value();
    if (this.at < this.text.length) throw this.fault('not_json');
    return value;
  }

  private value(): JsonValue {
    this.token(this.blank);
    const value = this.bare();
    this.token(this.blank);
    return value;
  }

  private bare(): JsonValue {
    switch (this.text[this.at]) {
      case '{':
        return this.nested(() => this.object());
      case '[':
        return this.nested(() => this.array());
      case '"':
        return this.readString();
    }
    for (const [word, value] of LITERALS) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return value;
    }
    return this.readNumber();
  }

  /** The call depth follows the document's, so the bound also keeps the stack. */
  private nested<T>(read: () => T): T {
    if (this.path.length >= this.maxDepth) throw this.fault('too_deep');
    this.at++;
    return read();
  }

  private array(): JsonValue[] {
    const items: JsonValue[] = [];
    this.token(this.blank);
    if (this.take(']')) return items;
    do {
      this.path.push(items.length);
      items.push(this.value());
      this.path.pop();
    } while (this.take(','));
    this.expect(']');
    return items;
  }

  private object(): JsonObject {
    const members: Record<string, JsonValue> = {};
    this.token(this.blank);
    if (this.take('}')) return members;
    do {
      this.token(this.blank);
      const name = this.readString();
      this.path.push(name);
      if (!isAsciiName(name)) throw this.fault('non_ascii_member');
      if (Object.hasOwn(members, name)) throw this.fault('duplicate_member');
      this.token(this.blank);
      this.expect(':');
      // Assigned, `__proto__` would set the prototype and vanish from what is checked.
      Object.defineProperty(members, name, {
        value: this.value(),
        writable: true,
        enumerable: true,
        configurable: true,
      });
      this.path.pop();
    } while (this.take(','));
    this.expect('}');
    return members;
  }

  private readString(): string {
    const value = this.unescape(this.token(this.string));
    if (!value.isWellFormed()) throw this.fault('lone_surrogate');
    return value;
  }

  private unescape(token: string): string {
    try {
      return JSON.parse(token) as string;
    } catch {
      throw this.fault('not_json');
    }
  }

  /** Also refuses `1.0`, `1e2` and `-0`: other languages write these back differently than RFC 8785 does. */
  private readNumber(): number {
    const token = this.token(this.number);
    const value = Number(token);
    if (!Number.isSafeInteger(value) || String(value) !== token) throw this.fault('unsafe_number');
    return value;
  }

  private token(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) throw this.fault('not_json');
    this.at += found.length;
    return found;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private expect(character: string): void {
    if (!this.take(character)) throw this.fault('not_json');
  }

  private fault(fault: StrictJsonFault): StrictJsonError {
    return new StrictJsonError(fault, pointerOf(this.path));
  }
}
