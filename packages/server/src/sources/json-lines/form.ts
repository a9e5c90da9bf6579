/** The form of lines that are JSON objects. What is no object is told apart without parsing where that can be. */
import type { ClassifiableHit } from '@ghostlight/core';
import { keepNanoseconds } from '../fields/timestamps.ts';
import { type Decoded, type LineForm, Unreadable } from '../source.ts';
import { Names, type SlimFault, type Slimmed, slimLine } from './slim-line.ts';
import { Unframe } from './unframe.ts';

export type JsonLine = Record<string, unknown>;

export interface JsonLinesOptions {
  /** Every member that is read: long lines are stripped of all others. */
  readonly fields: readonly string[];
  traces(line: JsonLine): ClassifiableHit | null;
  decode(line: JsonLine, attributionId: string | null, now: number): Decoded;
  readonly agentIn: (line: string) => string | undefined;
  /** Members of a long line that are objects are kept as well; else they are read as `[]`. */
  readonly nested?: boolean;
}

const NOT_JSON = new Unreadable('not_json');
const NOT_AN_OBJECT = new Unreadable('not_an_object');
const TOO_MANY_MEMBERS = new Unreadable('too_many_members');
const FAULTS: Readonly<Record<SlimFault, Unreadable>> = {
  not_json: NOT_JSON,
  too_many_members: TOO_MANY_MEMBERS,
};

/** A longer line is stripped of what is not read before it is parsed. Ordinary lines have less than 2 KiB. */
const LONG_LINE_BYTES = 16 * 1024;
/** A nested member that is kept of such a line may be this long. */
const MAX_NESTED_BYTES = 16 * 1024;
/** JSON that is no object, as far as is known without parsing. */
const OTHER_JSON = /^(?:\[.*\]|"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)$/;
const MAX_OTHER_JSON = 256;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** A body may also be one array, or concatenated objects: they are made lines first. */
export function jsonLines(options: JsonLinesOptions): LineForm<JsonLine> {
  const names = new Names(options.fields);
  const nestedBytes = options.nested === true ? MAX_NESTED_BYTES : 0;
  return {
    reframe: () => new Unframe(),
    parse: (lines, start, end) => parse(lines, start, end, names, nestedBytes),
    traces: options.traces,
    decode: options.decode,
    agentIn: options.agentIn,
  };
}

function parse(
  lines: Buffer,
  start: number,
  end: number,
  names: Names,
  nestedBytes: number,
): JsonLine | Unreadable | null {
  const from = skipBlanks(lines, start, end);
  if (from === end) return null;
  // Nothing else can be an object; a line that can't be parsed costs more than one that can.
  if (lines[from] !== OPEN_BRACE || lastOf(lines, end) !== CLOSE_BRACE)
    return otherThanObject(lines, start, end);
  const slim: Slimmed =
    end - start > LONG_LINE_BYTES
      ? slimLine(lines.subarray(start, end), names, nestedBytes)
      : { text: lines.toString('utf8', start, end) };
  if ('fault' in slim) return FAULTS[slim.fault];
  // Where it failed interests no one, and finding that out takes as long as the rest.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return JSON.parse(keepNanoseconds(slim.text)) as JsonLine;
  } catch {
    return NOT_JSON;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function otherThanObject(lines: Buffer, start: number, end: number): Unreadable {
  if (end - start > MAX_OTHER_JSON) return NOT_JSON;
  return OTHER_JSON.test(lines.toString('utf8', start, end).trim()) ? NOT_AN_OBJECT : NOT_JSON;
}

function skipBlanks(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(bytes[at] as number)) at += 1;
  return at;
}

/** The last byte that is no blank. */
function lastOf(bytes: Buffer, end: number): number | undefined {
  let at = end - 1;
  while (at >= 0 && isBlank(bytes[at] as number)) at -= 1;
  return bytes[at];
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
