/** Lines that are JSON objects: parsed, also where Apache's escapes break them, and read by dotted names. */
import type { LineReject } from './record.ts';
import { jsonEscapes } from './texts.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const BLANK = /^\s*$/;

/** @returns the object, why there is none, or null for a blank line */
export function parseJsonLine(line: string): JsonObject | LineReject | null {
  const text = line.trim();
  if (text.charCodeAt(0) !== OPEN_BRACE) return BLANK.test(line) ? null : 'other_format';
  if (text.charCodeAt(text.length - 1) !== CLOSE_BRACE) return 'truncated';
  return parsed(text) ?? (text.includes('\\') ? parsed(jsonEscapes(text)) : null) ?? 'other_format';
}

function parsed(text: string): JsonObject | null {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return null;
  }
}

/** `a.b`: a member of that very name, else the member `b` of the member `a`. */
export function memberAt(object: JsonObject, path: string): unknown {
  if (Object.hasOwn(object, path)) return object[path];
  let from: unknown = object;
  for (const step of path.split('.')) {
    if (typeof from !== 'object' || from === null || !Object.hasOwn(from, step)) return undefined;
    from = (from as JsonObject)[step];
  }
  return from;
}

/** Texts and numbers as text, of an array all of them (a header that came twice); `-` and anything else are empty. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value === '-' ? '' : value;
  if (typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return '';
  return value.length === 1 ? textOf(value[0]) : value.map(textOf).filter(Boolean).join(', ');
}
