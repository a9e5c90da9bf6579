/** The collector's sources made into single modules. Deterministic: the same sources give the same bytes, on whichever machine and in whichever folder. */
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { listDataPlugin } from './list-data.ts';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const SOURCES = 'packages/collector/src/';

export interface Bundle {
  readonly code: string;
  /** Folders of the packages that it contains, relative to the repository: `node_modules/isbot`. */
  readonly packages: readonly string[];
}

/**
 * For the edge: no built-in of Node can be in it, since bundling one fails.
 * @param entry source text of the entry module; its imports are resolved from packages/collector/src
 */
export function bundleForEdge(entry: string, options: { readonly minify?: boolean } = {}): Promise<Bundle> {
  return bundle({
    stdin: { contents: entry, resolveDir: `${REPOSITORY}${SOURCES}`, sourcefile: 'entry.ts', loader: 'ts' },
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'import'],
    external: ['cloudflare:workers'],
    target: 'es2024',
    minify: options.minify ?? false,
    plugins: [listDataPlugin()],
  });
}

/**
 * For the command line, from the Node on that the package asks for.
 * @param path below packages/collector/src
 */
export function bundleForNode(path: string): Promise<Bundle> {
  return bundle({
    entryPoints: [`${SOURCES}${path}`],
    platform: 'node',
    // Not `main`, where jsonc-parser keeps a form that loads its own files at run time.
    mainFields: ['module', 'main'],
    target: 'node20',
  });
}

async function bundle(options: BuildOptions): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    ...options,
    // The comments that name a module's file are relative to it.
    absWorkingDir: REPOSITORY,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    charset: 'utf8',
    // Licences are shipped whole, in NOTICE.
    legalComments: 'none',
    // What is frozen and not used is left out.
    pure: ['Object.freeze'],
    logLevel: 'silent',
  });
  const packages = new Set<string>();
  for (const path of Object.keys(metafile.inputs)) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    if (folder !== undefined) packages.add(folder);
  }
  return { code: outputFiles[0]?.text ?? '', packages: [...packages].sort() };
}
