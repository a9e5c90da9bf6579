/** The files of the published package that are made, as a list: name → content. Deterministic: the same sources give the same bytes. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { listDataPlugin } from '../../collector/build/list-data.ts';
import { noticeFor } from '../../collector/build/notice.ts';
import { VERSION } from '../src/version.ts';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const TITLE = `// @ghostlight/node ${VERSION}. Apache-2.0; the works of others in it are named in its NOTICE.\n`;

/** Paths relative to packages/node. */
export async function makeArtefacts(): Promise<ReadonlyMap<string, string>> {
  const { code, packages } = await bundle();
  const types = await declarations();
  return new Map([
    ['dist/index.cjs', `${TITLE}${code}`],
    // One copy of the code, however it is loaded.
    [
      'dist/index.js',
      `${TITLE}import node from './index.cjs';\nexport const { ghostlight, VERSION } = node;\n`,
    ],
    ['dist/index.d.ts', types],
    ['dist/index.d.cts', types],
    ['NOTICE', noticeFor('@ghostlight/node', packages)],
  ]);
}

/** No built-in of Node can be in it, since bundling one fails: before Next 16 its middleware runs where there is none. */
async function bundle(): Promise<{ code: string; packages: readonly string[] }> {
  const { outputFiles, metafile } = await build({
    // The comments that name a module's file are relative to it.
    absWorkingDir: REPOSITORY,
    entryPoints: ['packages/node/src/index.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['import'],
    format: 'cjs',
    target: 'node22',
    charset: 'utf8',
    minify: true,
    // Licences are shipped whole, in NOTICE.
    legalComments: 'none',
    logLevel: 'silent',
    plugins: [listDataPlugin()],
  });
  const packages = new Set<string>();
  for (const path of Object.keys(metafile.inputs)) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
    if (folder !== undefined) packages.add(folder);
  }
  return { code: outputFiles[0]?.text ?? '', packages: [...packages].sort() };
}

/** The sources' types need no others, so they are published as they are, and the function after them. */
async function declarations(): Promise<string> {
  const types = await readFile(new URL('../src/api.ts', import.meta.url), 'utf8');
  return [
    types.replaceAll(/^ *\/\/ biome-ignore.*\n/gm, ''),
    '\n/** Reports the AI visits of an application. Never throws; with options that can’t be used it says so and reports nothing. */\n',
    'export declare function ghostlight(options: GhostlightOptions): Ghostlight;\n',
    'export declare const VERSION: string;\n',
  ].join('');
}
