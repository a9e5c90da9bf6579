/**
 * Builds the published form: `node packages/core/build/build.ts`, from any folder; then `npm publish ./packages/core/dist`.
 *
 * It is a package of its own, with a package.json that is made: this workspace imports the sources, and Node runs no TypeScript below node_modules.
 */
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { printSizes, writeArtefacts } from '../../../scripts/write-artefacts.ts';
import { makeArtefacts } from './artefacts.ts';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));

const artefacts = await makeArtefacts();
// Chunks are named by their content: those of the last build would be published along.
rmSync(DIST, { recursive: true, force: true });
writeArtefacts(DIST, artefacts);
printSizes(artefacts, (content) => `${gzipSync(content).length} bytes gzip`);
