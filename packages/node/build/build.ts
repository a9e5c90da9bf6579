/** Builds the package: `node packages/node/build/build.ts`, from any folder. Its package.json is published as it lies in git, and points into dist/. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { printSizes, writeArtefacts } from '../../../scripts/write-artefacts.ts';
import { makeArtefacts } from './artefacts.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));

const artefacts = await makeArtefacts();
writeArtefacts(PACKAGE, artefacts);
printSizes(artefacts, (content) => `${gzipSync(content).length} bytes gzip`);
