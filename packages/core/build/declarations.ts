/** The types of the published package: the compiler's own declarations of the sources, comments included. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROJECT = fileURLToPath(new URL('tsconfig.declarations.json', import.meta.url));
/** The compiler rewrites `.ts` in the code that it emits, and not in declarations. */
const SOURCE_IMPORT = /^((?:import|export)\b.* from '\.{1,2}\/[^']+)\.ts';$/gm;

/**
 * @returns path → text; one declaration file per source file
 * @throws with the compiler's complaints, when the sources need more than Node 20 has
 */
export async function makeDeclarations(): Promise<ReadonlyMap<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'core-declarations-'));
  try {
    await compile(folder);
    const names = (await readdir(folder, { recursive: true }))
      .filter((name) => name.endsWith('.d.ts'))
      .sort();
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return new Map(
      names.map((name, index) => [`types/${name}`, (texts[index] ?? '').replace(SOURCE_IMPORT, "$1.js';")]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compile(outDir: string): Promise<void> {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  const options = ['-p', PROJECT, '--outDir', outDir, '--pretty', 'false'];
  try {
    await promisify(execFile)(process.execPath, [compiler, ...options]);
  } catch (error) {
    // The compiler complains on stdout, which the error's message leaves out.
    const { stdout } = error as { stdout?: string };
    throw new Error(`The declarations of core could not be made.\n${stdout ?? ''}`, { cause: error });
  }
}
