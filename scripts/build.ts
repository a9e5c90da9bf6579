/**
 * Builds what git does not hold: the dashboard, the browser SDK, the packages of the collector, of the log tail and for Node applications,
 * the archive of the WordPress plugin, and the service itself. Runs before start, demo and test, and does nothing for a part whose build is
 * newer than every source file of it.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Part {
  readonly name: string;
  /** The folder of its package. */
  readonly folder: string;
  /** Relative to the folder: files, or folders with all that lies in them. */
  readonly sources: readonly string[];
  readonly command: readonly [program: string, ...args: string[]];
}

const packages = fileURLToPath(new URL('../packages/', import.meta.url));
const parts: readonly Part[] = [
  {
    name: 'WordPress plugin',
    folder: join(packages, 'wordpress'),
    sources: ['ghostlight', 'build', '../core/src', '../core/data'],
    command: [process.execPath, 'build/build.ts'],
  },
  {
    name: 'dashboard',
    folder: join(packages, 'dashboard'),
    sources: [
      ...['src', 'build', 'public', 'index.html', 'docs.html', 'vite.config.ts', 'package.json'],
      ...['../core/src', '../sdk/src/snippet.ts', '../wordpress/ghostlight'],
      ...['../../docs', '../../CHANGELOG.md', '../../CONTRIBUTING.md', '../../SECURITY.md'],
    ],
    command: ['npx', '--no-install', 'vite', 'build', '--logLevel', 'warn'],
  },
  {
    name: 'collector',
    folder: join(packages, 'collector'),
    sources: ['src', 'build', 'package.json', '../core/src', '../core/data'],
    command: [process.execPath, 'build/build.ts'],
  },
  {
    name: 'SDK',
    folder: join(packages, 'sdk'),
    sources: ['src', 'build', 'package.json'],
    command: [process.execPath, 'build/build.ts'],
  },
  {
    name: 'log tail',
    folder: join(packages, 'tail'),
    sources: ['src', 'build', 'package.json', '../core/src', '../core/data'],
    command: [process.execPath, 'build/build.ts'],
  },
  {
    name: 'Node package',
    folder: join(packages, 'node'),
    sources: [
      ...['src', 'build', 'package.json', '../core/src', '../core/data'],
      ...['../collector/src', '../collector/build'],
    ],
    command: [process.execPath, 'build/build.ts'],
  },
  {
    name: 'service',
    folder: join(packages, 'server'),
    // Dependencies are inside, in the lockfile's versions.
    sources: ['src', 'build', 'package.json', '../core/src', '../core/data', '../../package-lock.json'],
    command: [process.execPath, 'build/build.ts'],
  },
];

for (const { name, folder, sources, command } of parts) {
  if (newest(join(folder, 'dist')) >= Math.max(...sources.map((source) => newest(join(folder, source)))))
    continue;
  console.log(`Building the ${name} …`);
  const [program, ...args] = command;
  // Under NODE_ENV=test, as a test runner sets it, React would be bundled with all that helps its developers.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

/** Modification time of a file, or of the newest file below a folder; 0 when there is none. */
function newest(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(0, ...files.map((file) => newest(join(file.parentPath, file.name))));
}
