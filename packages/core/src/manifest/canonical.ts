/** RFC 8785, the JSON Canonicalization Scheme: one text for one value, so that a signature over it can be checked anywhere. */
import { isJsonObject, pointerOf } from '../json.ts';

export type CanonicalFault = 'lone_surrogate' | 'not_finite' | 'not_json' | 'too_deep';

/** The value has no canonical form. */
export class CanonicalError extends Error {
  override readonly name = 'CanonicalError';
  readonly fault: CanonicalFault;
  /** JSON pointer to the place. */
  readonly pointer: string;

  constructor(fault: CanonicalFault, path: readonly (string | number)[]) {
    const pointer = pointerOf(path);
    super(`${FAULTS[fault]} (at ${pointer || 'the root'})`);
    this.fault = fault;
    this.pointer = pointer;
  }
}

const FAULTS: Readonly<Record<CanonicalFault, string>> = {
  lone_surrogate: 'A string holds half of a surrogate pair, which UTF-8 cannot write',
  not_finite: 'NaN and Infinity are no JSON',
  not_json: 'Only null, booleans, numbers, strings, arrays and plain objects are JSON',
  too_deep: 'Nested too deeply, or a circle',
};

const MAX_DEPTH = 100;

/**
 * Unlike JSON.stringify it never leaves out, replaces or converts anything: an undefined member, a Date or NaN is an error, since
 * two programs would otherwise sign different texts for one value.
 * @throws CanonicalError
 */
export function canonicalize(value: unknown): string {
  return write(value, []);
}

function write(value: unknown, path: (string | number)[]): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeString(value, path);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new CanonicalError('not_finite', path);
    // RFC 8785 takes over ECMAScript's own form of numbers; it writes -0 as 0.
    return String(value);
  }
  if (path.length >= MAX_DEPTH) throw new CanonicalError('too_deep', path);
  // By index: `map` would leave the holes of a sparse array out.
  if (Array.isArray(value)) {
    const items: string[] = [];
    for (let index = 0; index < value.length; index++) items.push(within(index, value[index], path));
    return `[${items.join(',')}]`;
  }
  if (!isJsonObject(value)) throw new CanonicalError('not_json', path);
  // The default order compares UTF-16 code units, as RFC 8785 §3.2.3 asks.
  const members = Object.keys(value)
    .sort()
    .map((name) => `${writeString(name, [...path, name])}:${within(name, value[name], path)}`);
  return `{${members.join(',')}}`;
}

function within(step: string | number, value: unknown, path: (string | number)[]): string {
  path.push(step);
  const text = write(value, path);
  path.pop();
  return text;
}

/** JSON.stringify escapes strings exactly as RFC 8785 §3.2.2.2 does, except that it lets lone surrogates through as escapes. */
function writeString(text: string, path: readonly (string | number)[]): string {
  if (!text.isWellFormed()) throw new CanonicalError('lone_surrogate', path);
  return JSON.stringify(text);
}
