/** `check`: what is still a placeholder or malformed, before a deploy that would capture nothing. */
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckArguments } from './arguments.ts';
import { type Finding, findingsOf } from './findings.ts';
import type { Terminal } from './terminal.ts';
import { readWranglerFile, WRANGLER_FILES, WranglerFileError } from './wrangler-file.ts';

const MAX_BYTES = 1024 ** 2;

/** @returns the exit code: 0 when there is nothing to fix, 1 otherwise */
export async function check({ directory }: CheckArguments, terminal: Terminal): Promise<number> {
  const path = await firstPresent(directory);
  if (path === null) {
    terminal.complain(`There is no ${WRANGLER_FILES.join(', ')} in ${directory}.`);
    return 1;
  }
  let findings: readonly Finding[];
  try {
    findings = findingsOf(readWranglerFile(path, await readFile(join(directory, path), 'utf8')));
  } catch (error) {
    if (!(error instanceof WranglerFileError)) throw error;
    terminal.complain(error.message);
    return 1;
  }
  for (const { line, sentence } of findings) terminal.complain(`${path}:${line}  ${sentence}`);
  if (findings.length > 0) {
    terminal.complain(
      `\n${findings.length} to fix. The property’s setup page shows this file with its own values.`,
    );
    return 1;
  }
  terminal.print(
    `${path}: no errors. The secret can't be read from here: npx wrangler secret list shows SERVICE_API_KEY once it is set.`,
  );
  return 0;
}

async function firstPresent(directory: string): Promise<string | null> {
  for (const name of WRANGLER_FILES) {
    const found = await lstat(join(directory, name)).catch(() => null);
    if (found?.isFile() && found.size <= MAX_BYTES) return name;
  }
  return null;
}
