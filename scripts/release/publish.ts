/**
 * `npm run release:publish [-- --dry-run]`: builds every package of `packages.ts` and publishes those whose version the registry lacks, so
 * that a release that broke off can be repeated. The workflow .github/workflows/npm.yml runs it; only there does npm grant provenance.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { manifestOf, PUBLISHED, REPOSITORY } from './packages.ts';

const dryRun = process.argv.includes('--dry-run');

function run(program: string, ...words: string[]): void {
  const { status } = spawnSync(program, words, { cwd: REPOSITORY, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}.`);
}

function isPublished(name: string, version: string): boolean {
  const { status, stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'version'], {
    encoding: 'utf8',
  });
  return status === 0 && stdout.trim() === version;
}

run(process.execPath, join(REPOSITORY, 'packages/core/build/build.ts'));
run('npm', 'run', 'package');
for (const { name, folder } of PUBLISHED) {
  const { version, repository } = manifestOf(folder);
  if (!dryRun && repository === undefined)
    throw new Error(`${name} has no repository, without which npm grants no provenance (docs/releasing.md).`);
  if (!dryRun && isPublished(name, version)) {
    console.log(`${name} ${version} is published already.`);
    continue;
  }
  // The ./ matters: npm reads packages/sdk as a repository on GitHub.
  run('npm', 'publish', `./${folder}`, ...(dryRun ? ['--dry-run'] : ['--provenance', '--access', 'public']));
}
