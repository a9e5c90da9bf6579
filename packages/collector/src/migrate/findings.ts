/** What would keep a wrangler file's deploy from capturing anything, each with its line. */
import { isObject } from '@ghostlight/core';
import { readSettings } from '../settings/index.ts';
import { lineOf, type ValuePath } from './places.ts';
import type { WranglerFile } from './wrangler-file.ts';

export interface Finding {
  readonly line: number;
  /** A sentence; it never quotes a value, because a key may have been pasted anywhere. */
  readonly sentence: string;
}

const KEY = 'SERVICE_API_KEY';
/** The secret isn't in the file; a well-formed one keeps the reader from missing it. */
const STAND_IN_KEY = `svc_cf_${'0'.repeat(43)}`;
const MAX_DEPTH = 20;

export function findingsOf(file: WranglerFile): readonly Finding[] {
  const findings = [
    ...placeholders(file),
    ...environmentsOf(file.values).flatMap((environment) => [
      ...variables(file, environment),
      ...routes(file, environment),
    ]),
  ];
  return findings.sort((a, b) => a.line - b.line);
}

interface Environment {
  readonly path: ValuePath;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The root, unless only named environments carry variables; and each of those. Variables aren't inherited, routes are. */
function environmentsOf(values: Readonly<Record<string, unknown>>): Environment[] {
  const named = Object.entries(objectOf(values['env']) ?? {}).flatMap(([name, own]): Environment[] => {
    const settings = objectOf(own);
    if (settings === null) return [];
    const inherited = Object.fromEntries(
      ['routes', 'route', 'name'].flatMap((key) => (key in values ? [[key, values[key]]] : [])),
    );
    return [{ path: ['env', name], values: { ...inherited, ...settings } }];
  });
  return 'vars' in values || named.length === 0 ? [{ path: [], values }, ...named] : named;
}

function placeholders(file: WranglerFile): Finding[] {
  return [...textsOf(file.values, [])]
    .filter(([, text]) => isPlaceholder(text))
    .map(([path, text]) => ({
      line: lineOf(file, path, text),
      sentence: `${nameOf(path)} still holds the template's placeholder ${/<[^<>]*>/.exec(text)?.[0]}.`,
    }));
}

function variables(file: WranglerFile, { path, values }: Environment): Finding[] {
  const vars = objectOf(values['vars']) ?? {};
  const at = (name: string) =>
    lineOf(file, name in vars ? [...path, 'vars', name] : 'vars' in values ? [...path, 'vars'] : path);
  const { problems } = readSettings({ ...vars, [KEY]: STAND_IN_KEY });
  const told = new Set<string>();
  const findings = problems.flatMap((sentence): Finding[] => {
    const name = /\bSERVICE_[A-Z_]+/.exec(sentence)?.[0];
    // A sentence without a name, or with one already reported, only says what follows from the others.
    if (name === undefined || told.has(name) || isPlaceholder(vars[name])) return [];
    told.add(name);
    // Set in the platform's dashboard, where a deploy leaves them.
    if (file.values['keep_vars'] === true && !(name in vars)) return [];
    return [{ line: at(name), sentence }];
  });
  if (!(KEY in vars)) return findings;
  const sentence = `${KEY} is a secret and must not be here. Remove it, revoke that key, and set a new one: npx wrangler secret put ${KEY}`;
  return [...findings, { line: at(KEY), sentence }];
}

function routes(file: WranglerFile, { path, values }: Environment): Finding[] {
  const key = 'route' in values && !('routes' in values) ? 'route' : 'routes';
  const line = lineOf(file, key in (objectAt(file.values, path) ?? {}) ? [...path, key] : [key]);
  const listed = key === 'route' ? [values['route']] : values['routes'];
  const given = Array.isArray(listed) ? listed : [];
  if (given.length === 0) {
    const sentence =
      'There is no route: without one the collector only answers on its own dev address, which no crawler visits.';
    return [{ line, sentence }];
  }
  if (given.some((route) => objectOf(route)?.['custom_domain'] === true)) {
    const sentence =
      'A custom domain makes the collector the origin of your site: use routes (<domain>/* and *.<domain>/*) instead.';
    return [{ line, sentence }];
  }
  const patterns = given.map((route) =>
    String(objectOf(route)?.['pattern'] ?? route).replace(/^https?:\/\//, ''),
  );
  return patterns.flatMap((pattern): Finding[] => {
    const apex = /^\*\.([^/*]+)\//.exec(pattern)?.[1];
    const covered = patterns.some((other) => other.startsWith(`${apex}/`) || other.startsWith(`*${apex}/`));
    if (apex === undefined || covered || isPlaceholder(apex)) return [];
    return [
      { line, sentence: `No route matches the bare domain: *.<domain>/* does not. Add one for <domain>/*.` },
    ];
  });
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && /<[^<>]*>/.test(value);
}

function* textsOf(value: unknown, path: ValuePath): Generator<[ValuePath, string]> {
  if (typeof value === 'string') yield [path, value];
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* textsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]);
  }
}

function nameOf(path: ValuePath): string {
  const last = path.at(-1);
  return path.includes('vars') ? String(last) : path.join('.');
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return isObject(value) ? value : null;
}

function objectAt(
  values: Readonly<Record<string, unknown>>,
  path: ValuePath,
): Readonly<Record<string, unknown>> | null {
  let at: unknown = values;
  for (const part of path) at = objectOf(at)?.[String(part)];
  return objectOf(at);
}
