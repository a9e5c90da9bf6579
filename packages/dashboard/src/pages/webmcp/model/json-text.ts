/**
 * JSON with places: the value, the line of every member, or one sentence that says where it stops being JSON. `JSON.parse` tells neither,
 * and takes a member that stands twice, which no signed manifest may hold.
 */

/** 1-based line and column. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface JsonMistake extends Position {
  readonly message: string;
}

export type JsonText =
  | { readonly ok: true; readonly value: unknown; readonly places: ReadonlyMap<string, Position> }
  | { readonly ok: false; readonly mistake: JsonMistake };

/** Deeper nesting is a mistake, not a schema; also keeps the recursion off the stack's end. */
const MAX_DEPTH = 64;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const WORDS: readonly [string, boolean | null][] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** @returns the value with the place of each JSON pointer, or the first mistake */
export function readJson(text: string): JsonText {
  const reader = new Reader(text);
  try {
    return { ok: true, value: reader.document(), places: reader.places };
  } catch (error) {
    if (error instanceof Mistake) {
      return { ok: false, mistake: { ...positionOf(text, error.offset), message: error.message } };
    }
    throw error;
  }
}

export function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: offset - lastBreak };
}

/** One more segment of a JSON pointer (RFC 6901). */
export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The place of a pointer, or of the nearest thing around it that stands in the text. */
export function placeOf(places: ReadonlyMap<string, Position>, pointer: string): Position {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const place = places.get(at);
    if (place !== undefined) return place;
    if (at === '') return { line: 1, column: 1 };
  }
}

class Mistake extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

class Reader {
  readonly places = new Map<string, Position>();
  readonly #text: string;
  readonly #lineStarts: readonly number[];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lineStarts = [0, ...text.matchAll(/\n/g).map(({ index }) => index + 1)];
  }

  document(): unknown {
    this.#space();
    if (this.#at === this.#text.length) throw new Mistake(0, 'A JSON object is expected here.');
    const value = this.#value('', 0);
    this.#space();
    if (this.#at < this.#text.length) throw this.#unexpected('The JSON ended before this.');
    return value;
  }

  #value(pointer: string, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new Mistake(this.#at, `This is nested deeper than ${MAX_DEPTH} levels.`);
    if (!this.places.has(pointer)) this.#mark(pointer);
    const next = this.#text[this.#at];
    if (next === '{') return this.#object(pointer, depth);
    if (next === '[') return this.#array(pointer, depth);
    if (next === '"') return this.#string();
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    NUMBER.lastIndex = this.#at;
    const number = NUMBER.exec(this.#text)?.[0];
    if (number === undefined) throw this.#unexpected('A value is expected here.');
    this.#at += number.length;
    return Number(number);
  }

  #object(pointer: string, depth: number): unknown {
    const members = new Map<string, unknown>();
    this.#at += 1;
    this.#space();
    if (this.#take('}')) return {};
    for (;;) {
      if (this.#text[this.#at] !== '"')
        throw this.#unexpected('A member’s name in double quotes is expected.');
      const start = this.#at;
      const name = this.#string();
      if (members.has(name)) throw new Mistake(start, `“${name}” stands here a second time.`);
      this.#mark(below(pointer, name), start);
      this.#space();
      if (!this.#take(':')) throw this.#unexpected('A colon is expected after the name.');
      this.#space();
      members.set(name, this.#value(below(pointer, name), depth + 1));
      this.#space();
      if (this.#take('}')) return Object.fromEntries(members);
      if (!this.#take(',')) throw this.#unexpected('A comma or the closing } is expected.');
      this.#space();
      if (this.#text[this.#at] === '}') throw this.#unexpected('The comma before this is one too many.');
    }
  }

  #array(pointer: string, depth: number): unknown {
    const items: unknown[] = [];
    this.#at += 1;
    this.#space();
    if (this.#take(']')) return items;
    for (;;) {
      items.push(this.#value(below(pointer, items.length), depth + 1));
      this.#space();
      if (this.#take(']')) return items;
      if (!this.#take(',')) throw this.#unexpected('A comma or the closing ] is expected.');
      this.#space();
      if (this.#text[this.#at] === ']') throw this.#unexpected('The comma before this is one too many.');
    }
  }

  #string(): string {
    const start = this.#at;
    let value = '';
    this.#at += 1;
    for (;;) {
      const next = this.#text[this.#at];
      if (next === undefined || next === '\n') throw new Mistake(start, 'The closing " of this is missing.');
      this.#at += 1;
      if (next === '"') return value;
      if (next < ' ') throw new Mistake(this.#at - 1, 'A control character must be written as an escape.');
      value += next === '\\' ? this.#escape() : next;
    }
  }

  #escape(): string {
    const letter = this.#text[this.#at] ?? '';
    const simple = ESCAPES[letter];
    const code = /^u[0-9a-fA-F]{4}/.exec(this.#text.slice(this.#at, this.#at + 5))?.[0];
    if (simple === undefined && code === undefined) {
      throw new Mistake(this.#at - 1, `\\${letter} is no escape; a backslash itself is written \\\\.`);
    }
    this.#at += simple === undefined ? 5 : 1;
    return simple ?? String.fromCharCode(Number.parseInt(code?.slice(1) ?? '', 16));
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #space(): void {
    while (' \t\n\r'.includes(this.#text[this.#at] ?? 'x')) this.#at += 1;
  }

  #unexpected(sentence: string): Mistake {
    return new Mistake(Math.min(this.#at, this.#text.length), sentence);
  }

  #mark(pointer: string, offset = this.#at): void {
    let low = 0;
    for (let high = this.#lineStarts.length - 1; low < high; ) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    this.places.set(pointer, { line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1 });
  }
}
