/** The sources as modules that every runtime loads: one per door, and chunks for what doors share, so that a class is the same through each. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { DOORS } from './doors.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
/** Never written to: the names of what is made are relative to it. */
const OUT = `${PACKAGE}dist`;

/**
 * Not minified: who imports it bundles it, or reads it while debugging.
 * @param title first line of each module
 * @returns name → code
 */
export async function bundleModules(title: string): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: DOORS.map(({ module, source }) => ({ in: `src/${source}.ts`, out: module })),
    // The comments that name a module's file, and the hashes that name chunks, are of paths relative to it.
    absWorkingDir: PACKAGE,
    outdir: OUT,
    write: false,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[hash]',
    format: 'esm',
    // Neither `node` nor any built-in: what needs one fails to bundle.
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    banner: { js: title },
    legalComments: 'none',
    logLevel: 'silent',
  });
  return new Map(outputFiles.map(({ path, text }) => [relative(OUT, path), text]));
}
