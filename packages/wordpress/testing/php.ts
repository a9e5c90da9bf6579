/** PHP as it is installed here: every version that Debian or a builder of packages puts side by side. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Paths of the PHPs, the ordinary one first. Empty: there is none, and the tests that need it are skipped. */
export const PHPS: readonly string[] = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /^php(?:\d\.\d)?$/.test(name))
    .sort()
    .map((name) => `${folder}/${name}`),
);

export const PHP = PHPS[0] ?? null;

export const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** @returns what the script printed @throws with what it printed on stderr */
export async function runPhp(php: string, words: readonly string[], stdin = ''): Promise<string> {
  const child = spawn(php, words, { stdio: 'pipe' });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdin.on('error', () => undefined).end(stdin);
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`php ended with ${code}: ${errors}${out}`.slice(0, 4000));
  return out;
}

/** What the plugin's classes make of cases; see vectors.php. @param lists a published list; null: the packed one */
export async function resultsOf(cases: readonly object[], lists: object | null = null): Promise<unknown[]> {
  if (PHP === null) throw new Error('PHP is not installed.');
  return JSON.parse(await runPhp(PHP, [fileOf('vectors.php')], JSON.stringify({ lists, cases })));
}
