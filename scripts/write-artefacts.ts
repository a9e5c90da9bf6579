/** Writes what the build of a published package has made. For the `build.ts` of the packages. */
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @param folder absolute; made when it is not there
 * @param artefacts path below the folder → content
 * @param weigh says what a file weighs on its way, for the person who builds: `1234 bytes gzip`
 */
export function writeArtefacts(
  folder: string,
  artefacts: ReadonlyMap<string, string>,
  weigh: (content: string) => string,
): void {
  for (const [name, content] of artefacts) {
    write(join(folder, name), content);
    // On stderr: `npm pack --json` runs the build and prints its own answer on stdout.
    process.stderr.write(`${name}  ${content.length} characters, ${weigh(content)}\n`);
  }
}

/** At once: whoever reads it meanwhile, or builds at the same time, has the old file or the new one. */
function write(path: string, content: string): void {
  const unfinished = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(unfinished, content);
  if (content.startsWith('#!')) chmodSync(unfinished, 0o755);
  renameSync(unfinished, path);
}
