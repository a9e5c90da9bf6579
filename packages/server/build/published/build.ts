/**
 * Builds the published form of the service, the npm package `ghostlight`: `node packages/server/build/published/build.ts [FOLDER]`, then
 * `npm publish FOLDER`. Without a folder it is `dist/ghostlight` of the repository.
 *
 * The parts keep the places that they have below `packages/`, because the service finds the dashboard, the SDK and the demo's collector
 * relative to its own files.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { notice } from './notice.ts';
import { packageJson } from './package-json.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** Place in the package → place in the repository. What is built must be built: `node scripts/build.ts`. */
const COPIED: Readonly<Record<string, string>> = {
  LICENSE: 'LICENSE',
  'README.md': 'packages/server/README.md',
  'server/bin': 'packages/server/bin',
  'server/dist': 'packages/server/dist',
  'dashboard/dist': 'packages/dashboard/dist',
  'sdk/dist/sdk.js': 'packages/sdk/dist/sdk.js',
  'collector/dist/ghostlight-collector.js': 'packages/collector/dist/ghostlight-collector.js',
};

const folder = resolve(process.argv[2] ?? join(REPOSITORY, 'dist/ghostlight'));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [there, here] of Object.entries(COPIED)) {
  mkdirSync(dirname(join(folder, there)), { recursive: true });
  cpSync(join(REPOSITORY, here), join(folder, there), { recursive: true });
}
writeFileSync(join(folder, 'package.json'), packageJson(REPOSITORY));
writeFileSync(join(folder, 'NOTICE'), notice(REPOSITORY));
