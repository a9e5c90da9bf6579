/**
 * Builds the package: `node packages/collector/build/build.ts`, from any folder.
 *
 * The package.json in git is the one that is published, and its `exports` point into dist/: npm, unlike pnpm, lets `publishConfig`
 * override no field but the registry's. Our own tests import the sources by path, so that no code in this workspace needs the package's name.
 */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { printSizes, writeArtefacts } from '../../../scripts/write-artefacts.ts';
import { makeArtefacts } from './artefacts.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));

const artefacts = await makeArtefacts();
writeArtefacts(PACKAGE, artefacts);
printSizes(artefacts, (content) => `${gzipSync(content).length} bytes gzip`);
