/**
 * What a schema refuses, as sentences: which field, what came, what is expected. The validator's own words ("expected record, received
 * array") are about its types; those that a schema gives itself are taken as they are. Texts of bodies are never repeated: they may be secrets.
 */
import type { z } from '@hono/zod-openapi';
import type { FieldError } from './errors.ts';

type Issue = z.core.$ZodIssue;

/** What was validated: a text of an address may be shown again, one of a body may not. */
export interface Given {
  readonly value: unknown;
  readonly isAddress: boolean;
}

const MAX_SHOWN = 40;
const MAX_OPTIONS = 20;
/** Depth of alternatives in alternatives. */
const MAX_NESTED = 4;

/** How the validator's own sentences begin; ours never do. */
const OF_THE_VALIDATOR = /^(?:Invalid|Too big|Too small|Unrecognized key)/;

/** RFC 6901. */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** @param issues of one validation of `given` */
export function fieldErrors(issues: readonly Issue[], given: Given): FieldError[] {
  return issues.flatMap((issue) => errorsOf(issue, given, [], 0));
}

function errorsOf(issue: Issue, given: Given, before: readonly PropertyKey[], depth: number): FieldError[] {
  const path = [...before, ...issue.path];
  const at = (message: string): FieldError[] => [{ pointer: pointerOf(path), message }];
  if (issue.code === 'custom' || !OF_THE_VALIDATOR.test(issue.message)) return at(issue.message);
  const value = valueAt(given.value, path);
  const came = shown(value, given.isAddress);
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return at(`Is required: give ${expectedOf(issue.expected)}.`);
      if (given.isAddress && Array.isArray(value)) return at(`Appears ${value.length} times; send it once.`);
      return at(`Must be ${expectedOf(issue.expected)}, not ${came}.`);
    case 'too_small':
    case 'too_big':
      return at(boundOf(issue, value, came));
    case 'invalid_format':
      return at(formatOf(issue));
    case 'invalid_value':
      if (value === undefined) return at(`Is required: give ${optionsOf(issue.values)}.`);
      return at(`Must be ${optionsOf(issue.values)}, not ${came}.`);
    case 'not_multiple_of':
      return at(`Must be a multiple of ${issue.divisor}, not ${came}.`);
    case 'unrecognized_keys':
      return at(
        `Has unknown members: ${issue.keys.slice(0, MAX_OPTIONS).map(quoted).join(', ')}. Leave them out.`,
      );
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues.flatMap((inner) => errorsOf(inner, given, path, depth + 1));
    case 'invalid_union':
      return (
        ofAlternatives(issue, given, path, value, depth) ?? at(`Is not in an accepted form; got ${came}.`)
      );
    default:
      return at(`Is not valid; got ${came}.`);
  }
}

/** What is wrong with the alternative that was meant: the one that was followed deepest. Where none was, all of them. */
function ofAlternatives(
  issue: Extract<Issue, { code: 'invalid_union' }>,
  given: Given,
  path: readonly PropertyKey[],
  value: unknown,
  depth: number,
): FieldError[] | null {
  if (depth >= MAX_NESTED || issue.errors.length === 0) return null;
  const types = issue.errors.map(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 && OF_THE_VALIDATOR.test(first.message)
      ? expectedOf(first.expected)
      : null,
  );
  if (types.every((type) => type !== null)) {
    const message =
      value === undefined
        ? `Is required: give ${either(types)}.`
        : `Must be ${either(types)}, not ${shown(value, given.isAddress)}.`;
    return [{ pointer: pointerOf(path), message }];
  }
  const depthOf = (errors: readonly Issue[]) => Math.max(0, ...errors.map((error) => error.path.length));
  const [meant] = issue.errors
    .filter((_, index) => types[index] === null)
    .toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length);
  return meant?.flatMap((inner) => errorsOf(inner, given, path, depth + 1)) ?? null;
}

function boundOf(
  issue: Extract<Issue, { code: 'too_small' | 'too_big' }>,
  value: unknown,
  came: string,
): string {
  const [limit, least] = issue.code === 'too_small' ? [issue.minimum, true] : [issue.maximum, false];
  const noun = COUNTED[issue.origin];
  const bound = Number(limit).toLocaleString('en-US', { useGrouping: noun !== undefined });
  if (noun !== undefined) {
    const length = lengthOf(value);
    if (least && Number(limit) === 1) return `Must have at least one ${noun[0]}.`;
    const amount = issue.exact === true ? 'exactly' : least ? 'at least' : 'at most';
    const [one, many] = noun;
    return `Must have ${amount} ${bound} ${Number(limit) === 1 ? one : many}${length === null ? '' : `, not ${length.toLocaleString('en-US')}`}.`;
  }
  const words =
    issue.inclusive === false ? (least ? 'more than' : 'less than') : least ? 'at least' : 'at most';
  return `Must be ${words} ${bound}, not ${came}.`;
}

const COUNTED: Readonly<Record<string, readonly [string, string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['entry', 'entries'],
  object: ['member', 'members'],
};

function lengthOf(value: unknown): number | null {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : null;
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address such as name@example.com, without spaces',
  url: 'a URL such as https://example.com/path',
  uuid: 'a UUID such as 6f0e0c1e-4d27-4d52-8f5a-0d5e3c2b1a99',
  guid: 'a UUID such as 6f0e0c1e-4d27-4d52-8f5a-0d5e3c2b1a99',
  datetime: 'a time such as 2026-11-22T09:00:00Z',
  date: 'a day such as 2026-11-22',
  time: 'a time of day such as 09:00:00',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'an IPv4 range such as 192.0.2.0/24',
  cidrv6: 'an IPv6 range such as 2001:db8::/32',
  base64: 'base64',
  base64url: 'base64url',
  json_string: 'JSON as text',
};

function formatOf(issue: Extract<Issue, { code: 'invalid_format' }>): string {
  if (issue.format === 'starts_with' && 'prefix' in issue)
    return `Must begin with ${quoted(String(issue.prefix))}.`;
  if (issue.format === 'ends_with' && 'suffix' in issue)
    return `Must end with ${quoted(String(issue.suffix))}.`;
  if (issue.format === 'includes' && 'includes' in issue)
    return `Must contain ${quoted(String(issue.includes))}.`;
  if (issue.format === 'regex' && issue.pattern !== undefined)
    return `Must match the pattern ${issue.pattern}.`;
  return `Must be ${FORMATS[issue.format] ?? `of the form ${issue.format}`}.`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  array: 'a list',
  tuple: 'a list',
  set: 'a list',
  date: 'a time',
  null: 'null',
  undefined: 'left out',
  never: 'left out',
};

const expectedOf = (type: string): string => TYPES[type] ?? type;

const either = (options: readonly string[]): string => [...new Set(options)].join(' or ');

function optionsOf(values: readonly unknown[]): string {
  const [only, ...others] = values;
  if (others.length === 0) return quoted(String(only));
  const named = values.slice(0, MAX_OPTIONS).map(String).join(', ');
  return `one of ${named}${values.length > MAX_OPTIONS ? ', …' : ''}`;
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

const quoted = (text: string): string =>
  JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text);

/** What came, as far as it may be repeated. */
function shown(value: unknown, isAddress: boolean): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') {
    if (value === '') return 'an empty text';
    if (!isAddress) return 'this text';
    return NUMBER.test(value) ? value : quoted(value);
  }
  if (Array.isArray(value)) return isAddress ? `${value.length} values` : 'a list';
  return typeof value === 'object' ? 'an object' : String(value);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return at;
}
