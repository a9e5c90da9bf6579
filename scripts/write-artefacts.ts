/** What the `build.ts` of each published package does with the files that it has made. */
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Path below the folder that is built → content. */
export type Artefacts = ReadonlyMap<string, string>;

/** @param folder absolute; made when it is not there */
export function writeArtefacts(folder: string, artefacts: Artefacts): void {
  for (const [name, content] of artefacts) write(join(folder, name), content);
}

/**
 * Figures for a person, on stderr: `npm pack --json` runs the build and prints its own answer on stdout.
 * @param weigh says what a file weighs on its way: `1234 bytes gzip`
 */
export function printSizes(artefacts: Artefacts, weigh: (content: string) => string): void {
  for (const [name, content] of artefacts)
    process.stderr.write(`${name}  ${content.length} characters, ${weigh(content)}\n`);
}

/** Atomically: a concurrent reader or build gets the old file or the new one. */
function write(path: string, content: string): void {
  const unfinished = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(unfinished, content);
  if (content.startsWith('#!')) chmodSync(unfinished, 0o755);
  renameSync(unfinished, path);
}
