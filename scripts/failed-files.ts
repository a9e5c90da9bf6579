/** A Vitest reporter that writes down which files failed, for `npm run test:again`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** A JSON array of paths. It is missing while tests run, after a run that was cut, and after an error that belongs to no file. */
export const FAILED_FILES = resolve('node_modules/.cache/ghostlight/failed-files.json');

export default class FailedFiles implements Reporter {
  onTestRunStart(): void {
    rmSync(FAILED_FILES, { force: true });
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    if (errors.length > 0) return;
    const failed = modules.filter((module) => !module.ok()).map(({ moduleId }) => moduleId);
    mkdirSync(dirname(FAILED_FILES), { recursive: true });
    writeFileSync(FAILED_FILES, JSON.stringify(failed));
  }
}
