/**
 * Builds the package: `node packages/collector/build/build.ts`, from any folder.
 *
 * The package.json that lies in git is the one that is published, and its `exports` point into dist/: npm, unlike pnpm, lets `publishConfig`
 * override no field but the registry's. Our own tests import the sources by path, so that nobody in this workspace needs the package's name.
 */
import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { makeArtefacts } from './artefacts.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));

// Figures for a person, on stderr: `npm pack --json` runs this and prints its own answer on stdout.
for (const [name, content] of await makeArtefacts()) {
  write(`${PACKAGE}${name}`, content);
  process.stderr.write(`${name}  ${content.length} characters, ${gzipSync(content).length} bytes gzip\n`);
}

/** At once: whoever reads it meanwhile, or builds at the same time, has the old file or the new one. */
function write(path: string, content: string): void {
  const unfinished = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(unfinished, content);
  if (content.startsWith('#!')) chmodSync(unfinished, 0o755);
  renameSync(unfinished, path);
}
