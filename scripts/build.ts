/**
 * Builds what the service serves but git does not hold: the dashboard. Runs before start, demo and test, and does nothing when the build is
 * newer than every source file.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dashboard = fileURLToPath(new URL('../packages/dashboard/', import.meta.url));

if (newest(join(dashboard, 'dist')) < newestSource()) {
  console.log('Building the dashboard …');
  const { status } = spawnSync('npx', ['--no-install', 'vite', 'build', '--logLevel', 'warn'], {
    cwd: dashboard,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

function newestSource(): number {
  const files = ['index.html', 'vite.config.ts', 'package.json'].map((name) =>
    modified(join(dashboard, name)),
  );
  return Math.max(newest(join(dashboard, 'src')), newest(join(dashboard, 'public')), ...files);
}

/** Modification time of the newest file below a folder; 0 when there is none. */
function newest(folder: string): number {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return Math.max(
      0,
      ...entries
        .filter((entry) => entry.isFile())
        .map((entry) => modified(join(entry.parentPath, entry.name))),
    );
  } catch {
    return 0;
  }
}

function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
