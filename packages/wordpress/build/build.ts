/** Builds the WordPress plugin: `npm run wordpress`. Renews the made files of the plugin's folder and writes dist/ghostlight.zip. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PLUGIN, pluginArchive, pluginFiles } from './artefacts.ts';
import { generatedFiles } from './generated.ts';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));

const there = pluginFiles();
for (const [path, content] of generatedFiles())
  if (there.get(path)?.toString() !== content) writeFileSync(`${PLUGIN}${path}`, content);
mkdirSync(DIST, { recursive: true });
const archive = pluginArchive();
// Atomically: a test may read it.
writeFileSync(`${DIST}ghostlight.zip.${process.pid}`, archive);
renameSync(`${DIST}ghostlight.zip.${process.pid}`, `${DIST}ghostlight.zip`);
process.stderr.write(`dist/ghostlight.zip  ${archive.length} bytes\n`);
