/** Builds the package: `node packages/sdk/build/build.ts`, from any folder. Its package.json is published as it lies in git, and points into dist/. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeArtefacts, transferSize } from './artefacts.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));

// Figures for a person, on stderr: `npm pack --json` runs this and prints its own answer on stdout.
for (const [name, content] of await makeArtefacts()) {
  write(`${PACKAGE}${name}`, content);
  process.stderr.write(`${name}  ${content.length} characters, ${transferSize(content)} bytes brotli\n`);
}

/** At once: whoever reads it meanwhile, or builds at the same time, has the old file or the new one. */
function write(path: string, content: string): void {
  const unfinished = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
}
