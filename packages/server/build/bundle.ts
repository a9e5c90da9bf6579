/** The service as a few JavaScript files: our own code and core's bundled, every dependency left where npm has put it. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type OutputFile, type Plugin } from 'esbuild';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(PACKAGE, 'dist');
const MAIN = join(PACKAGE, 'src/main.ts');
/** How our code names a file beside it that is started or served rather than imported. */
const BESIDE = /new URL\(\s*'(\.[^']+)',\s*import\.meta\.url\s*\)/g;

/** @returns the files: path below the package → content */
export async function bundleService(): Promise<ReadonlyMap<string, string>> {
  // What a bundle starts as a thread or a process is an entry of its own, and may start others.
  const entries = new Set([MAIN]);
  let files: readonly OutputFile[];
  let known: number;
  do {
    known = entries.size;
    files = await bundleOf(entries);
  } while (entries.size > known);
  const entryNames = new Set([...entries].map((path) => `${nameOf(path)}.js`));
  // Entries come last, so that one that is started meanwhile finds its parts.
  const inOrder = files.toSorted(
    (a, b) => Number(entryNames.has(basename(a.path))) - Number(entryNames.has(basename(b.path))),
  );
  return new Map(inOrder.map(({ path, text }) => [relative(PACKAGE, path), text]));
}

/** @param entries what the bundled code starts is added */
async function bundleOf(entries: Set<string>): Promise<readonly OutputFile[]> {
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries([...entries].map((path) => [nameOf(path), path])),
    absWorkingDir: PACKAGE,
    outdir: DIST,
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // Read by people in stack traces, never sent anywhere: names and lines stay.
    minify: false,
    logLevel: 'warning',
    plugins: [dependenciesStayOutside, besideTheBundle(entries)],
  });
  return outputFiles;
}

const nameOf = (entry: string) => basename(entry, '.ts');

/** Read at every start of a command, and small: inside, it is one file less to find and to link. */
export const INSIDE = new Set(['commander']);

const dependenciesStayOutside: Plugin = {
  name: 'dependencies stay outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@ghostlight/') || INSIDE.has(path)
        ? undefined
        : { path, external: true },
    );
  },
};

/** A file named relative to its source is named relative to the bundle; one of TypeScript becomes an entry. */
const besideTheBundle = (entries: Set<string>): Plugin => ({
  name: 'files beside the bundle',
  setup({ onLoad }) {
    onLoad({ filter: /\/packages\/server\/src\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replaceAll(BESIDE, (_, name: string) => {
        const file = resolve(dirname(path), name);
        if (file.endsWith('.ts')) entries.add(file);
        const there = file.endsWith('.ts') ? `./${nameOf(file)}.js` : relative(DIST, file);
        return `new URL(${JSON.stringify(name.endsWith('/') ? `${there}/` : there)}, import.meta.url)`;
      });
      return { contents, loader: 'ts' };
    });
  },
});
