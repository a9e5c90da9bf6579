/** The only writer. Files are written whole before anything is removed, so that a crash leaves more than is needed, never less. */
import { lstat, mkdir, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { Action } from './plan.ts';

/** @throws when a path would lead through a symbolic link, and whatever the file system throws */
export async function applyActions(directory: string, actions: readonly Action[]): Promise<void> {
  for (const action of actions) await refuseLinks(directory, action);
  for (const action of actions)
    if (action.kind !== 'remove') await write(directory, action.path, action.text);
  for (const action of actions) if (action.kind === 'remove') await remove(directory, action.path);
}

/** Looked at again here: the plan's look is as old as the person's answer. */
async function refuseLinks(directory: string, { kind, path }: Action): Promise<void> {
  for (let at = kind === 'remove' ? posix.dirname(path) : path; at !== '.'; at = posix.dirname(at)) {
    const link = await lstat(join(directory, at)).catch(() => null);
    if (link?.isSymbolicLink()) throw new Error(`${at} is a symbolic link, which is not followed.`);
  }
}

async function write(directory: string, path: string, text: string): Promise<void> {
  const file = join(directory, path);
  const temporary = `${file}.ghostlight-new`;
  await mkdir(dirname(file), { recursive: true });
  const mode = (await lstat(file).catch(() => null))?.mode ?? 0o644;
  try {
    await writeFile(temporary, text, { mode: mode & 0o777, flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    // What was there before is not ours to remove.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(temporary, { force: true });
    throw error;
  }
}

async function remove(directory: string, path: string): Promise<void> {
  await unlink(join(directory, path));
  for (let at = posix.dirname(path); at !== '.'; at = posix.dirname(at)) {
    try {
      await rmdir(join(directory, at));
    } catch {
      // Something else is in it: it stays, and so do the folders above.
      return;
    }
  }
}
