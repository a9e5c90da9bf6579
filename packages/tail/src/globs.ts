/** `/var/log/nginx/*.log`: shells expand patterns themselves, but systemd and quotes leave them, and files come later. */
import { readdirSync } from 'node:fs';
import { dirname, join, parse, resolve, sep } from 'node:path';

const MAX_FILES = 1_000;

export const isPattern = (path: string): boolean => /[*?]/.test(path);

/** Paths of files that a pattern means now, sorted. A path without signs means itself, whether or not it is there. */
export function expand(pattern: string): string[] {
  const path = resolve(pattern);
  if (!isPattern(path)) return [path];
  const { root } = parse(path);
  let found = [root];
  const steps = path.slice(root.length).split(sep);
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    found = found.flatMap((folder) =>
      isPattern(step) ? matching(folder, step, isLast) : [join(folder, step)],
    );
  }
  return found.sort().slice(0, MAX_FILES);
}

function matching(folder: string, step: string, isLast: boolean): string[] {
  const source = step
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const form = new RegExp(`^${source}$`);
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => form.test(entry.name) && (isLast ? !entry.isDirectory() : !entry.isFile()))
      .map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

/** Names that a rotated file may have got: `access.log` → `access.log.1`, `access.log-20261122.gz`, `access-20261122.log`. */
export function siblingsOf(path: string): string[] {
  const { dir, name, base } = parse(path);
  try {
    return readdirSync(dirname(path), { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== base && entry.name.startsWith(name))
      .map((entry) => join(dir, entry.name));
  } catch {
    return [];
  }
}
