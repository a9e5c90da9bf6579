/** The weekly update pull requests: Dependabot's file is written or completed; who has Renovate has them already. */
import { posix } from 'node:path';
import type { PackageValues } from './package-file.ts';
import { type Repository, textOf } from './repository.ts';

export type UpdateBot =
  | { readonly state: 'present'; readonly path: string; readonly bot: 'Dependabot' | 'Renovate' }
  | { readonly state: 'write'; readonly path: string; readonly text: string; readonly isNew: boolean }
  /** Nothing can be written: the person adds `entry` to a file that this command doesn't touch. */
  | { readonly state: 'by-hand'; readonly because: string; readonly entry: string };

const NEW_PATH = '.github/dependabot.yml';
const DEPENDABOT = [NEW_PATH, '.github/dependabot.yaml'];
const RENOVATE = [
  'renovate.json',
  'renovate.json5',
  '.renovaterc',
  '.renovaterc.json',
  '.renovaterc.json5',
  '.github/renovate.json',
  '.github/renovate.json5',
  '.gitlab/renovate.json',
  '.gitlab/renovate.json5',
];

/** @param prefix where the directory lies in its git repository, `packages/edge/`; empty at the top */
export function planUpdateBot(repository: Repository, manifest: PackageValues, prefix: string): UpdateBot {
  const renovate =
    RENOVATE.find((path) => repository.has(path)) ?? ('renovate' in manifest ? 'package.json' : null);
  if (renovate !== null) return { state: 'present', path: renovate, bot: 'Renovate' };
  const directory = posix.join('/', prefix).replace(/(.)\/$/, '$1');
  if (prefix !== '') {
    // The forge reads this file at the top of the repository only, which is outside of what we may touch.
    return {
      state: 'by-hand',
      because: 'it belongs at the top of the git repository',
      entry: entry(directory, '  ', '\n'),
    };
  }
  const path = DEPENDABOT.find((name) => repository.has(name));
  if (path === undefined) {
    return {
      state: 'write',
      path: NEW_PATH,
      isNew: true,
      text: `version: 2\nupdates:\n${entry(directory, '  ', '\n')}`,
    };
  }
  const text = textOf(repository, path);
  const updates = text === null ? null : updatesOf(text);
  if (text === null || updates === null) {
    const because = `${path} has a form that this command doesn't edit`;
    return { state: 'by-hand', because, entry: entry(directory, '  ', '\n') };
  }
  if (watchesNpm(updates)) return { state: 'present', path, bot: 'Dependabot' };
  const completed = addEntry(updates, directory, text.includes('\r\n') ? '\r\n' : '\n');
  return { state: 'write', path, text: completed, isNew: false };
}

function entry(directory: string, indent: string, end: string): string {
  return [
    `${indent}- package-ecosystem: "npm"`,
    `${indent}  directory: "${directory}"`,
    `${indent}  schedule:`,
    `${indent}    interval: "weekly"`,
    '',
  ].join(end);
}

interface UpdatesList {
  readonly lines: readonly string[];
  /** Line of `updates:`. */
  readonly at: number;
  /** First line after the list's last one. */
  readonly end: number;
  readonly indent: string;
  /** The text of each item. */
  readonly items: readonly string[];
}

/** The block list under `updates:`, or an empty one; null for any other form. */
function updatesOf(text: string): UpdatesList | null {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((line) => /^updates\s*:\s*(?:\[\s*\])?\s*(?:#.*)?$/.test(line));
  if (at === -1) return null;
  const next = lines.findIndex((line, index) => index > at && /^[^\s#-]/.test(line));
  let end = next === -1 ? lines.length : next;
  while (end > at + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? '')) end -= 1;
  const body = lines.slice(at + 1, end);
  const first = body.find((line) => !/^\s*(?:#.*)?$/.test(line));
  const indent = /^(\s*)-\s/.exec(first ?? '  - ')?.[1];
  if (indent === undefined) return null;
  const items: string[] = [];
  for (const line of body) {
    if (line.startsWith(`${indent}-`)) items.push(line);
    else if (items.length > 0) items.push(`${items.pop()}\n${line}`);
  }
  return { lines, at, end, indent, items };
}

/** An item for npm whose directories reach the top of the repository. */
function watchesNpm({ items }: UpdatesList): boolean {
  return items.some(
    (item) =>
      /^\s*-?\s*package-ecosystem\s*:\s*["']?npm\b/m.test(item) &&
      /["'\s[]\/(?:\*\*?)?["']?\s*(?:[#,\]]|$)/m.test(item),
  );
}

function addEntry({ lines, at, end, indent }: UpdatesList, directory: string, lineEnd: string): string {
  return [
    ...lines.slice(0, at),
    lines[at]?.replace(/\s*\[\s*\]/, ''),
    ...lines.slice(at + 1, end),
    entry(directory, indent, lineEnd).trimEnd(),
    ...(end === lines.length ? [''] : lines.slice(end)),
  ].join(lineEnd);
}
