/** The files of the published package that are made, as a list: name → content. Deterministic: the same sources give the same bytes. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { minify } from '@swc/core';
import { type BuildOptions, build } from 'esbuild';
import { VERSION } from '../src/version.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
/** Browsers from 2020 on: Chrome 80, Firefox 74, Safari 13.1. */
const TARGET = 'es2020';
/** Fields of objects that never leave the script: neither the page nor the service sees them. */
const INTERNAL = /^(?:isOpen|memory|domain|update|flush)$/;

/** Paths relative to packages/sdk. */
export async function makeArtefacts(): Promise<ReadonlyMap<string, string>> {
  const [script, door] = await Promise.all([
    bundle({ entryPoints: ['src/script.ts'], format: 'iife', mangleProps: INTERNAL }),
    bundle({ entryPoints: ['src/index.ts'], format: 'esm' }),
  ]);
  return new Map([
    ['dist/sdk.js', await minified(script)],
    ['dist/index.js', `// @ghostlight/sdk ${VERSION}. Apache-2.0.\n${door}`],
    ['dist/index.d.ts', await declarations()],
  ]);
}

/** What the script weighs on its way: the bytes that the goal of 3 KiB is about. */
export const transferSize = (text: string): number => brotliCompressSync(text).length;

async function bundle(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    absWorkingDir: PACKAGE,
    bundle: true,
    write: false,
    platform: 'browser',
    target: TARGET,
    charset: 'utf8',
    // Not the workspace's: without `strict` it says nothing that changes the output, and saves the directive.
    tsconfigRaw: {},
  });
  const [file] = outputFiles ?? [];
  if (file === undefined) throw new Error('esbuild made nothing');
  return file.text;
}

/**
 * A tenth smaller than by esbuild alone, which neither inlines constants nor drops what is used once. The options are the best of those
 * tried on the size after Brotli, which likes repetition: inlining functions makes less text and a larger file.
 */
async function minified(code: string): Promise<string> {
  const made = await minify(code, {
    ecma: 2020,
    module: false,
    compress: {
      ecma: 2020,
      passes: 3,
      toplevel: true,
      inline: 0,
      collapse_vars: false,
      unsafe_arrows: true,
      unsafe_methods: true,
      // None of our expressions keeps a state between its uses.
      unsafe_regexp: true,
      hoist_vars: true,
    },
    mangle: { toplevel: true },
  });
  return `${made.code}\n`;
}

/** The sources' types need no others, so they are published as they are, and the functions after them. */
async function declarations(): Promise<string> {
  const [types, door] = await Promise.all(
    ['src/api.ts', 'src/index.ts'].map((path) => readFile(`${PACKAGE}${path}`, 'utf8')),
  );
  const functions = [...(door ?? '').matchAll(/^export (const \w+: Ghostlight\['\w+'\])/gm)];
  const declared = functions.map(([, signature]) => `export declare ${signature};`);
  return [
    types,
    '/** The build that every event names. */',
    `export declare const VERSION: string;`,
    ...declared,
    '',
  ].join('\n');
}
