/** What was unpacked of a backup, opened and counted before anything else is touched. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOfCopy } from '../database/index.ts';
import { figuresOfCopy } from '../spool/index.ts';
import { BackupError, type Manifest } from './manifest.ts';

const sentence = (what: string) =>
  `${what} than the manifest of the backup says. Use another backup; nothing was changed.`;

/** @throws BackupError when a table has another number of rows than when the backup was made */
export function checkState({ state }: Manifest, directory: string): void {
  if (state.kind !== 'file') return;
  const names = state.tables.map(({ name }) => name);
  const counted = opening('state database', () => rowsOfCopy(existing(directory, 'state.sqlite'), names));
  const wrong = state.tables.find(({ name, rows }) => counted.get(name) !== rows);
  if (wrong !== undefined)
    throw new BackupError(sentence(`The table ${wrong.name} of the state database has other rows`));
}

/** And writes the spools' logs back into their files. @throws BackupError as above */
export function checkSpools({ spools }: Manifest, directory: string): void {
  if (spools.kind !== 'file') return;
  for (const [name, figures] of Object.entries(spools.figures)) {
    const { waiting, stored } = opening(`spool "${name}"`, () =>
      figuresOfCopy(existing(directory, `${name}.spool`)),
    );
    if (waiting !== figures.waiting || stored !== figures.stored)
      throw new BackupError(sentence(`The spool "${name}" holds other rows`));
  }
}

/** Its checksum is right, so that it was written like that. */
function opening<T>(what: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BackupError(
      `The ${what} of the backup can’t be opened (${why}). Use another backup; nothing was changed.`,
      { cause: error },
    );
  }
}

function existing(directory: string, name: string): string {
  const path = join(directory, name);
  if (!existsSync(path)) throw new BackupError(sentence('There are fewer files'));
  return path;
}
