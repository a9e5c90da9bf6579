/** Whose work the build of the service contains, as the build wrote it down. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGES_INSIDE } from '../bundle.ts';

/** @returns folders relative to the repository */
export const packagesInside = (repository: string): readonly string[] =>
  JSON.parse(readFileSync(join(repository, 'packages/server', PACKAGES_INSIDE), 'utf8'));
