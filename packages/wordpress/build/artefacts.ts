/** What is made for the WordPress plugin: its packed list, which is in git, and the archive that WordPress installs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipOf } from './zip.ts';

export const PLUGIN = fileURLToPath(new URL('../ghostlight/', import.meta.url));

/** Path in the plugin's folder → content, in a fixed order. */
export function pluginFiles(): ReadonlyMap<string, Buffer> {
  const paths = readdirSync(PLUGIN, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name).slice(PLUGIN.length))
    .sort();
  return new Map(paths.map((path) => [path, readFileSync(join(PLUGIN, path))]));
}

/** The archive: one folder with all of the plugin, as the page Plugins → Add → Upload takes it. */
export const pluginArchive = (): Buffer =>
  zipOf(new Map([...pluginFiles()].map(([path, content]) => [`ghostlight/${path}`, content])));
