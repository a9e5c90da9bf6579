/** The service as a few JavaScript files: our own code and core's, with nearly all dependencies. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildResult, build, type Plugin } from 'esbuild';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const DIST = join(PACKAGE, 'dist');
const MAIN = join(PACKAGE, 'src/main.ts');
/** How our code names a file beside it that is started or served rather than imported. */
const BESIDE = /new URL\(\s*'(\.[^']+)',\s*import\.meta\.url\s*\)/g;

type Bundle = BuildResult<{ write: false; metafile: true }>;

const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";
/** Among the files: the folders of the packages in them, relative to the repository. Their licences go where the files go. */
export const PACKAGES_INSIDE = 'dist/packages.json';

/** @returns the files: path below the package → content */
export async function bundleService(): Promise<ReadonlyMap<string, string>> {
  // What a bundle starts as a thread or a process is an entry of its own, and may start others.
  const entries = new Set([MAIN]);
  let bundle: Bundle;
  let known: number;
  do {
    known = entries.size;
    bundle = await bundleOf(entries);
  } while (entries.size > known);
  const entryNames = new Set([...entries].map((path) => `${nameOf(path)}.js`));
  // Entries come last, so that one that is started meanwhile finds its parts.
  const inOrder = bundle.outputFiles.toSorted(
    (a, b) => Number(entryNames.has(basename(a.path))) - Number(entryNames.has(basename(b.path))),
  );
  return new Map([
    [PACKAGES_INSIDE, `${JSON.stringify(packagesIn(bundle), null, 2)}\n`],
    ...inOrder.map(({ path, text }) => [relative(PACKAGE, path), text] as const),
  ]);
}

/** Our own are none: they are no folder of `node_modules`. */
function packagesIn({ metafile }: Bundle): string[] {
  const folders = Object.keys(metafile.inputs).flatMap(
    (path) =>
      /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(REPOSITORY, join(PACKAGE, path)))?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

/** @param entries what the bundled code starts is added */
async function bundleOf(entries: Set<string>): Promise<Bundle> {
  return await build({
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
    // Dependencies in CommonJS require Node's own modules.
    banner: { js: REQUIRE },
    metafile: true,
    logLevel: 'warning',
    plugins: [someStayOutside, besideTheBundle(entries)],
  });
}

const nameOf = (entry: string) => basename(entry, '.ts');

/** Left where npm has put them: native code, programs, what finds files of its own by its place, and what ships no text of its licence. */
const OUTSIDE = new Set([
  ...['chdb', 'miniflare'],
  ...['pino', '@zxcvbn-ts/core', '@zxcvbn-ts/language-common'],
  ...['@bufbuild/protobuf', 'pg', 'standardwebhooks'],
]);

const someStayOutside: Plugin = {
  name: 'some dependencies stay outside',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path }) =>
      OUTSIDE.has(packageOf(path)) ? { path, external: true } : undefined,
    );
  },
};

const packageOf = (path: string) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');

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
