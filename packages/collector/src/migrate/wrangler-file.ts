/** The customer's wrangler file, TOML or JSON with comments: found, read, and edited without touching what is not ours to change. */

import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@ghostlight/core';
import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import type { Repository } from './repository.ts';
import { removeRootKey, setRootValue } from './toml-edit.ts';

export interface WranglerFile {
  readonly path: string;
  readonly text: string;
  readonly format: 'jsonc' | 'toml';
  readonly values: Readonly<Record<string, unknown>>;
}

/** Its message is a sentence for the person at the terminal. */
export class WranglerFileError extends Error {}

/** In wrangler's own order: with several, it reads the first. */
export const WRANGLER_FILES = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'] as const;

/** @throws WranglerFileError when it can't be parsed; @returns null when there is none */
export function findWranglerFile(repository: Repository): WranglerFile | null {
  const path = WRANGLER_FILES.find((name) => repository.has(name));
  if (path === undefined) return null;
  const { kind, text } = repository.get(path) ?? { kind: 'file', text: null };
  if (kind === 'symlink') throw new WranglerFileError(`${path} is a symbolic link, which is not followed.`);
  if (text === null) throw new WranglerFileError(`${path} is larger than 1 MiB.`);
  return readWranglerFile(path, text);
}

/** @throws WranglerFileError with file, line and reason */
export function readWranglerFile(path: string, text: string): WranglerFile {
  const format = path.endsWith('.toml') ? 'toml' : 'jsonc';
  const values = format === 'toml' ? tomlValues(path, text) : jsonValues(path, text);
  return { path, text, format, values };
}

function tomlValues(path: string, text: string): Record<string, unknown> {
  try {
    return parseToml(withoutMark(text));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '');
    throw new WranglerFileError(`${path}:${error.line} is no TOML: ${reason}.`);
  }
}

function jsonValues(path: string, text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const values: unknown = parse(withoutMark(text), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = lineAt(text, first.offset);
    throw new WranglerFileError(`${path}:${line} is no JSON: ${printParseErrorCode(first.error)}.`);
  }
  if (!isObject(values)) throw new WranglerFileError(`${path}:1 holds no JSON object.`);
  return values;
}

/** Some editors write it; it is kept in the file. */
const BYTE_ORDER_MARK = '\ufeff';

export const withoutMark = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/**
 * The same file with another `main` and without some keys of its root; every other byte stays.
 * @throws WranglerFileError when the outcome would say anything else than that, which is known by parsing it again
 */
export function editWranglerFile(
  file: WranglerFile,
  change: { main: string; remove: readonly string[] },
): string {
  const text = withoutMark(file.text);
  const mark = file.text.slice(0, file.text.length - text.length);
  return `${mark}${edited({ ...file, text }, change)}`;
}

function edited(file: WranglerFile, { main, remove }: { main: string; remove: readonly string[] }): string {
  const absent = remove.filter((key) => key in file.values);
  const expected = { ...file.values, main };
  for (const key of absent) delete (expected as Record<string, unknown>)[key];
  let text = file.values['main'] === main ? file.text : setMain(file, main);
  for (const key of absent) {
    text =
      file.format === 'toml'
        ? removeRootKey(text, key)
        : applyEdits(text, modify(text, [key], undefined, {}));
  }
  let outcome: WranglerFile | null = null;
  try {
    outcome = readWranglerFile(file.path, text);
  } catch {
    // Reported below: the file was fine before, so the edit broke it.
  }
  if (outcome === null || !isDeepStrictEqual({ ...outcome.values }, expected)) {
    const removal = absent.length === 0 ? '' : ` and remove ${absent.join(', ')}`;
    throw new WranglerFileError(
      `${file.path} can't be edited by this command: set main to "${main}"${removal} by hand, commit, and run it again.`,
    );
  }
  return text;
}

function setMain({ format, text }: WranglerFile, main: string): string {
  if (format === 'toml') return setRootValue(text, 'main', main);
  const indent = /\n(\s+)"/.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, ['main'], main, { formattingOptions }));
}
