/**
 * Builds the service: `node packages/server/build/build.ts`, from any folder.
 *
 * Node runs our TypeScript directly, and tests import it so. A process that serves is started from the build instead: 800 files
 * that are found, stripped and linked one by one cost half of a start's processor time and 90 MB of memory (docs/decisions/0015-built-service.md).
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeArtefacts } from '../../../scripts/write-artefacts.ts';
import { bundleService } from './bundle.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));

const files = await bundleService();
writeArtefacts(PACKAGE, files);
// Names of parts have their content's digest in them: those of earlier builds would lie there for ever.
for (const name of readdirSync(join(PACKAGE, 'dist')))
  if (!files.has(join('dist', name))) rmSync(join(PACKAGE, 'dist', name), { recursive: true });
