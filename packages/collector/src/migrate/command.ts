/** `ghostlight-collector`: the command of the package, for the repository that deploys it. */
import { WORKER_VERSION } from '../version.ts';
import { readArguments, USAGE } from './arguments.ts';
import { check } from './check.ts';
import { GitFailed } from './git.ts';
import { migrate } from './migrate.ts';
import { RepositoryTooLarge } from './repository.ts';
import type { Terminal } from './terminal.ts';

/** @returns the exit code: 0 done, 1 refused or something to fix, 2 misused */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const wanted = readArguments(words);
  try {
    switch (wanted.command) {
      case 'help':
        terminal.print(USAGE);
        return 0;
      case 'version':
        terminal.print(WORKER_VERSION);
        return 0;
      case 'misused':
        terminal.complain(`${wanted.because}\n\n${USAGE}`);
        return 2;
      case 'check':
        return await check(wanted, terminal);
      case 'migrate':
        return await migrate(wanted, terminal);
    }
  } catch (error) {
    if (!(error instanceof RepositoryTooLarge || error instanceof GitFailed || isSystemError(error)))
      throw error;
    terminal.complain(error.message);
    return 1;
  }
}

/** A full disk, a missing right: the system's own sentence says it. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
