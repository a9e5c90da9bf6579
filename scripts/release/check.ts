/** `npm run release:check -- vX.Y.Z`: whether the tag, the service's version and the changelog belong together. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY, releaseVersion } from './packages.ts';

const [tag = ''] = process.argv.slice(2);
const version = releaseVersion();
const problems: string[] = [];
if (tag !== `v${version}`)
  problems.push(
    `The tag is "${tag}", and packages/server/package.json has version ${version}: tag v${version}.`,
  );
if (!readFileSync(join(REPOSITORY, 'CHANGELOG.md'), 'utf8').includes(`\n## [${version}]`))
  problems.push(`CHANGELOG.md has no section "## [${version}]": write what changed.`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
