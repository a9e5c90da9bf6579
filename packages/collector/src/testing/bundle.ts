/** The collector as the edge gets it: one ES module. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** packages/collector/src, where an entry's imports are resolved. */
export const SOURCE_ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** The collector alone, as a customer deploys it: a main module may export nothing but handlers. */
export const COLLECTOR_ENTRY = `export { default } from './index.ts';`;

/** A Worker that hands every request on: what the collector is compared with. */
export const PASS_THROUGH_ENTRY = 'export default { fetch: (request) => fetch(request) };';

/** The date that `wrangler.toml` of the template carries. */
export const COMPATIBILITY_DATE = '2026-04-01';

/**
 * @param entry source text of the entry module; its relative imports are resolved from packages/collector/src
 * @throws when something needs Node: the platform is neutral, so that no built-in can be bundled
 */
export async function bundle(entry: string, options: { minify?: boolean } = {}): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: SOURCE_ROOT, sourcefile: 'entry.ts', loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'import'],
    external: ['cloudflare:workers'],
    minify: options.minify ?? false,
  });
  return outputFiles[0]?.text ?? '';
}
