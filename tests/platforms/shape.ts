/** Strict forms of JSON, as documentations describe them: what is not named is refused. A check returns a sentence for each thing that is wrong. */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { isObject } from './fake.ts';

export type Check = (value: unknown, path: string) => string[];

const SHA256_OF_NOTHING = createHash('sha256').update('').digest('hex');

const wrong = (path: string, what: string): string[] => [`${path === '' ? 'the body' : path} ${what}`];

export const anything: Check = () => [];

export function text(pattern: RegExp | null = null, max = 2_000): Check {
  return (value, path) => {
    if (typeof value !== 'string' || value === '') return wrong(path, 'must be a text that is not empty');
    if (value.length > max) return wrong(path, `is longer than ${max} characters`);
    return pattern === null || pattern.test(value) ? [] : wrong(path, `must match ${pattern.source}`);
  };
}

export function number(min = 0, max = Number.MAX_SAFE_INTEGER): Check {
  return (value, path) =>
    typeof value === 'number' && value >= min && value <= max
      ? []
      : wrong(path, `must be a number of ${min} to ${max}, not ${JSON.stringify(value)}`);
}

export function whole(min = 0, max = Number.MAX_SAFE_INTEGER): Check {
  return (value, path) =>
    Number.isInteger(value) ? number(min, max)(value, path) : wrong(path, 'must be a whole number');
}

export const flag: Check = (value, path) =>
  typeof value === 'boolean' ? [] : wrong(path, 'must be true or false');

export function oneOf(...values: readonly unknown[]): Check {
  return (value, path) =>
    values.includes(value) ? [] : wrong(path, `must be one of ${values.join(', ')}, not ${String(value)}`);
}

/** SHA-256 in lower-case hex, and never that of nothing. */
export const hash: Check = (value, path) => {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value))
    return wrong(path, 'must be a SHA-256 in 64 lower-case hex digits: it is plain');
  return value === SHA256_OF_NOTHING ? wrong(path, 'is the SHA-256 of the empty text') : [];
};

/** One, or a list of them. */
export const hashOrHashes: Check = (value, path) =>
  Array.isArray(value) ? list(hash, 1, 100)(value, path) : hash(value, path);

export const hashes: Check = (value, path) => list(hash, 1, 100)(value, path);

export const currency = text(/^[A-Z]{3}$/);
export const decimal = text(/^\d+(\.\d+)?$/);
export const url = text(/^https?:\/\/[^\s?#]+\.[^\s]+$/);
export const userAgent = text(/^[\x20-\x7e]+$/);
export const address: Check = (value, path) =>
  typeof value === 'string' && isIP(value) !== 0 ? [] : wrong(path, 'must be an IP address');
/** As the URL or the browser had it. */
export const clickId = text(/^[A-Za-z0-9._~-]+$/, 500);

export function list(each: Check, min = 0, max = 1_000): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return wrong(path, 'must be a list');
    if (value.length < min || value.length > max)
      return wrong(path, `must have ${min} to ${max} elements, not ${value.length}`);
    return value.flatMap((element, index) => each(element, `${path}[${index}]`));
  };
}

type Members = Readonly<Record<string, Check>>;

/** No members but these. */
export function object(required: Members, optional: Members = {}): Check {
  return (value, path) => {
    if (!isObject(value)) return wrong(path, 'must be an object');
    const at = (name: string) => (path === '' ? name : `${path}.${name}`);
    const known: Members = { ...required, ...optional };
    return [
      ...Object.keys(required)
        .filter((name) => value[name] === undefined)
        .flatMap((name) => wrong(at(name), 'is missing')),
      ...Object.entries(value).flatMap(
        ([name, member]) => known[name]?.(member, at(name)) ?? wrong(at(name), 'is unknown'),
      ),
    ];
  };
}

/** With any other members besides. */
export function openObject(required: Members, optional: Members = {}): Check {
  return (value, path) => {
    if (!isObject(value)) return wrong(path, 'must be an object');
    const others = Object.keys(value).filter((name) => !(name in required) && !(name in optional));
    return object(required, {
      ...optional,
      ...Object.fromEntries(others.map((name) => [name, anything])),
    })(value, path);
  };
}

/** @param units epoch ms in one unit of the field; a wrong unit is far off, and said to be */
export function instant(units: number, now: number, oldestMs: number, aheadMs: number): Check {
  return (value, path) => {
    if (!Number.isInteger(value)) return wrong(path, 'must be a whole number');
    const at = Number(value) * units;
    if (at > now + aheadMs) return wrong(path, `lies in the future, or is not in units of ${units} ms`);
    return at < now - oldestMs ? wrong(path, `is too old, or is not in units of ${units} ms`) : [];
  };
}
