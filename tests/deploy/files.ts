/** Where the tests of this folder find what they read. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
/** @throws where it is no YAML, or names a key twice */
export const readYaml = <T>(path: string): T => parse(read(path), { strict: true, merge: true }) as T;
export const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;
