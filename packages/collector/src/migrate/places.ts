/** On which line of a wrangler file a value stands. */
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { lineAt, type WranglerFile, withoutMark } from './wrangler-file.ts';

/** `['env', 'production', 'vars', 'SERVICE_INGEST_URL']`; numbers are places in a list. */
export type ValuePath = readonly (string | number)[];

/**
 * @returns the line, from 1. In TOML, whose parser tells no positions, the line of the key, or that of the text inside a list; the first
 *   line when neither is found
 */
export function lineOf(file: WranglerFile, path: ValuePath, text?: string): number {
  return file.format === 'jsonc'
    ? jsonLine(withoutMark(file.text), path)
    : tomlLine(withoutMark(file.text), path, text);
}

function jsonLine(text: string, path: ValuePath): number {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, [...path]);
  return node === undefined ? 1 : lineAt(text, node.offset);
}

function tomlLine(text: string, path: ValuePath, value: string | undefined): number {
  const lines = text.split('\n');
  const holding = value === undefined ? -1 : lines.findIndex((line) => line.includes(value));
  const inList = path.some((part) => typeof part === 'number');
  if (inList && holding !== -1) return holding + 1;
  // A value of an inline table has no line of its own: then that of the table.
  for (let depth = path.length; depth > 0; depth -= 1) {
    const at = keyLine(lines, path.slice(0, depth));
    if (at !== -1) return at + 1;
  }
  return 1;
}

/** Index of the line with that key or table header; -1 when there is none. */
function keyLine(lines: readonly string[], path: ValuePath): number {
  const wanted = path.filter((part) => typeof part === 'string').join('.');
  let table = '';
  return lines.findIndex((line) => {
    const header = /^\s*\[\[?([^\]]+)\]\]?/.exec(line)?.[1];
    if (header !== undefined) {
      table = bare(header);
      return table === wanted;
    }
    const key = /^\s*([\w."'-]+)\s*=/.exec(line)?.[1];
    return key !== undefined && [table, bare(key)].filter((part) => part !== '').join('.') === wanted;
  });
}

function bare(name: string): string {
  return name.replaceAll(/["'\s]/g, '');
}
