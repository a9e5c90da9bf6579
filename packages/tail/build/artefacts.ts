/** The files of the published package that are made, as a list: name → content. Deterministic: the same sources give the same bytes. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { VERSION } from '../src/version.ts';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));

/** Paths relative to packages/tail. */
export async function makeArtefacts(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles, metafile } = await build({
    // The comments that name a module's file are relative to it.
    absWorkingDir: REPOSITORY,
    entryPoints: ['packages/tail/src/bin.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node22',
    charset: 'utf8',
    // Licences are shipped whole, in NOTICE.
    legalComments: 'none',
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  const title = `// ghostlight-tail ${VERSION}. Apache-2.0; the works of others in it are named in its NOTICE.`;
  return new Map([
    ['dist/ghostlight-tail.js', `#!/usr/bin/env node\n${title}\n${code}`],
    ['NOTICE', notice(Object.keys(metafile.inputs))],
  ]);
}

const LINE = '-'.repeat(80);

/** Whose work the package contains, with their licences. @throws where one ships no text of it */
function notice(inputs: readonly string[]): string {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const sections = [...new Set(folders)].sort().map((folder) => {
    const path = `${REPOSITORY}${folder}/`;
    const { name, version, license } = JSON.parse(readFileSync(`${path}package.json`, 'utf8'));
    const file = readdirSync(path).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
    if (file === undefined) throw new Error(`${folder} has no licence to ship.`);
    return `${name} ${version}, ${license}\n\n${readFileSync(`${path}${file}`, 'utf8').trim()}`;
  });
  const lists = readFileSync(`${REPOSITORY}packages/core/data/NOTICE.md`, 'utf8').trim();
  const head =
    'ghostlight-tail\n\nLicensed under the Apache License, Version 2.0. It contains the following works of others.';
  return `${[head, ...sections, lists].join(`\n\n${LINE}\n\n`)}\n`;
}
