/** Reads and writes the list files: one row per line, so that a change reads as a list of rows. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  AgentsFile,
  BotsFile,
  ListFiles,
  RangesFile,
  ReferrersFile,
} from '../../packages/core/src/index.ts';

export function readListFiles(directory: string): ListFiles {
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(directory, name), 'utf8')) as T;
  return {
    bots: read<BotsFile>('bots.json'),
    ranges: read<RangesFile>('ip-ranges.json'),
    referrers: read<ReferrersFile>('referrers.json'),
    agents: read<AgentsFile>('signature-agents.json'),
  };
}

/** Written beside and renamed: a half-written list file never stands. */
export function writeListFile(directory: string, name: string, file: object): void {
  const path = join(directory, name);
  writeFileSync(`${path}.new`, formatListFile(file));
  renameSync(`${path}.new`, path);
}

/** Top-level members as usual; the elements of top-level arrays of objects one to a line. */
export function formatListFile(file: object): string {
  const members = Object.entries(file).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${formatMember(value)}`,
  );
  return `{\n${members.join(',\n')}\n}\n`;
}

function formatMember(value: unknown): string {
  if (Array.isArray(value)) return `[\n${value.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`;
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');
}
