/**
 * JSON with places: the value, the line of every member, or one sentence that says where it stops being JSON. `JSON.parse` tells neither,
 * and takes a member that stands twice, which no signed manifest may hold. The scanning is jsonc-parser's; the sentences are ours.
 */
import { printParseErrorCode, visit } from 'jsonc-parser';

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

/** What may stand next: the end of the text, or a part of the innermost object or array. */
type Expected = 'value' | 'name' | 'colon' | 'more' | 'end';

interface Container {
  readonly closing: '}' | ']';
  /** Of an object's members so far. */
  readonly names: Set<string>;
}

class Mistake extends Error {
  readonly at: Position;
  constructor(message: string, line: number, column: number) {
    super(message);
    this.at = { line: line + 1, column: column + 1 };
  }
}

/** @returns the value with the place of each JSON pointer, or the first mistake */
export function readJson(text: string): JsonText {
  try {
    const places = placesIn(text);
    return { ok: true, value: JSON.parse(text), places };
  } catch (error) {
    if (error instanceof Mistake) return { ok: false, mistake: { ...error.at, message: error.message } };
    throw error;
  }
}

/** One more segment of a JSON pointer (RFC 6901). */
export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The place of a pointer, or of the nearest one around it that is in the text. */
export function placeOf(places: ReadonlyMap<string, Position>, pointer: string): Position {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const place = places.get(at);
    if (place !== undefined) return place;
    if (at === '') return { line: 1, column: 1 };
  }
}

/** @throws Mistake for the first thing that no JSON has */
function placesIn(text: string): Map<string, Position> {
  if (text.trim() === '') throw new Mistake('A JSON object is expected here.', 0, 0);
  const places = new Map<string, Position>();
  const open: Container[] = [];
  let expected: Expected = 'value';

  // A member stands where its name does, so the value that follows changes nothing.
  const mark = (path: readonly (string | number)[], line: number, column: number) => {
    const pointer = path.reduce<string>(below, '');
    if (!places.has(pointer)) places.set(pointer, { line: line + 1, column: column + 1 });
  };
  const valueEnded = () => {
    expected = open.length === 0 ? 'end' : 'more';
  };
  const begin = (closing: Container['closing'], line: number, column: number) => {
    if (open.length > MAX_DEPTH)
      throw new Mistake(`This is nested deeper than ${MAX_DEPTH} levels.`, line, column);
    open.push({ closing, names: new Set() });
    expected = closing === '}' ? 'name' : 'value';
  };
  const end = () => {
    open.pop();
    valueEnded();
  };

  visit(
    text,
    {
      onObjectBegin(_offset, _length, line, column, path) {
        mark(path(), line, column);
        begin('}', line, column);
      },
      onObjectEnd: end,
      onArrayBegin(_offset, _length, line, column, path) {
        mark(path(), line, column);
        begin(']', line, column);
      },
      onArrayEnd: end,
      onObjectProperty(name, _offset, _length, line, column, path) {
        const names = open.at(-1)?.names;
        if (names?.has(name)) throw new Mistake(`Duplicate name “${name}”.`, line, column);
        names?.add(name);
        mark([...path(), name], line, column);
        expected = 'colon';
      },
      onLiteralValue(_value, _offset, _length, line, column, path) {
        mark(path(), line, column);
        valueEnded();
      },
      onSeparator(separator) {
        expected = separator === ',' && open.at(-1)?.closing === '}' ? 'name' : 'value';
      },
      onError(code, offset, length, line, column) {
        const name = printParseErrorCode(code);
        const { message, within = 0 } = inToken(name, text.slice(offset, offset + length)) ?? {
          message: unexpected(name, expected, { before: text.slice(0, offset), next: text[offset], open }),
        };
        throw new Mistake(message, line, column + within);
      },
    },
    { disallowComments: true },
  );
  return places;
}

/** A mistake inside a string or a number. @returns null: it is none; `within`: where in the token it is */
function inToken(code: string, token: string): { message: string; within?: number } | null {
  switch (code) {
    case 'UnexpectedEndOfString':
      return { message: 'The closing " of this is missing.' };
    case 'UnexpectedEndOfNumber':
      return { message: 'This number has no end.' };
    case 'InvalidCharacter':
      return {
        message: 'A control character must be written as an escape.',
        within: token.search(/\p{Cc}/u),
      };
    case 'InvalidEscapeCharacter':
    case 'InvalidUnicode': {
      const escapes = token.matchAll(/\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|([\s\S]?))/g);
      const wrong = escapes.find(([, letter]) => letter !== undefined);
      return {
        message: `\\${wrong?.[1] ?? ''} is no escape; a backslash itself is written \\\\.`,
        within: wrong?.index ?? 0,
      };
    }
    default:
      return null;
  }
}

/** What should stand where something else does. */
function unexpected(
  code: string,
  expected: Expected,
  { before, next, open }: { before: string; next: string | undefined; open: readonly Container[] },
): string {
  // The parser closes an object or array before it says that its end is missing.
  if (code === 'CloseBraceExpected') return 'The closing } is missing.';
  if (code === 'CloseBracketExpected') return 'The closing ] is missing.';
  const closing = open.at(-1)?.closing;
  switch (expected) {
    case 'end':
      return 'The JSON ended before this.';
    case 'more':
      return `A comma or the closing ${closing} is expected.`;
    case 'colon':
      return 'A colon is expected after the name.';
    default:
      if (next === closing && /,\s*$/.test(before)) return 'The comma before this is one too many.';
      return expected === 'name'
        ? 'A member’s name in double quotes is expected.'
        : 'A value is expected here.';
  }
}
