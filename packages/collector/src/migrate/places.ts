/** On which line of a wrangler file a value stands. */
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { lineAt, type WranglerFile } from './wrangler-file.ts';

/** `['env', 'production', 'vars', 'SERVICE_INGEST_URL']`; numbers are places in a list. */
export type ValuePath = readonly (string | number)[];

/**
 * @returns the line, from 1. In TOML, whose parser tells no positions, the line of the key, or that of the text inside a list; the first
 *   line when neither is found
 */
export function lineOf(file: WranglerFile, path: ValuePath, text?: string): number {
  return file.format === 'jsonc' ? jsonLine(file.text, path) : tomlLine(file.text, path, text);
}

function jsonLine(text: string, path: ValuePath): number {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, [...path]);
  return node === undefined ? 1 : lineAt(text, node.offset);
}

function tomlLine(text: string, path: ValuePath, value: string | undefined): number {
  const names = path.filter((part) => typeof part === 'string');
  const lines = text.split('\n');
  let table = '';
  for (const [index, line] of lines.entries()) {
    const header = /^\s*\[\[?([^\]]+)\]\]?/.exec(line)?.[1];
    if (header !== undefined) table = bare(header);
    const key = /^\s*([\w."'-]+)\s*=/.exec(line)?.[1];
    const here = [table, bare(header ?? key ?? '')].filter(
      (part, at) => part !== '' && (at === 0 || header === undefined),
    );
    if (here.join('.') === names.join('.') && (value === undefined || path.length === names.length))
      return index + 1;
  }
  const holding = value === undefined ? -1 : lines.findIndex((line) => line.includes(value));
  return holding === -1 ? 1 : holding + 1;
}

function bare(name: string): string {
  return name.replaceAll(/["'\s]/g, '');
}
