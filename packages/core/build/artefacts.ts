/** The files of the published package, as a list: name → content. Deterministic: the same sources give the same bytes, in whichever folder. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleModules } from './bundle.ts';
import { makeDeclarations } from './declarations.ts';
import { packageJson, readIdentity } from './package-json.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const NOTICE_HEAD =
  'Ghostlight core\n\nLicensed under the Apache License, Version 2.0. Its lists contain works of others:';

/** Paths relative to the folder that is published. */
export async function makeArtefacts(): Promise<ReadonlyMap<string, string>> {
  const identity = await readIdentity();
  const { name, version, license } = identity;
  const title = `// ${name} ${version}. ${license}; the works of others in it are named in its NOTICE.`;
  const [modules, declarations, lists] = await Promise.all([
    bundleModules(title),
    makeDeclarations(),
    readLists(),
  ]);
  return new Map([
    ['package.json', packageJson(identity)],
    ['README.md', await read('README.md')],
    ['LICENSE', await read('../../LICENSE')],
    ['NOTICE', `${NOTICE_HEAD}\n\n${await read('data/NOTICE.md')}`],
    ...modules,
    ...declarations,
    ...lists,
  ]);
}

const read = (path: string): Promise<string> => readFile(`${PACKAGE}${path}`, 'utf8');

/** With their sources: users of a list as data want to know where its rows are from. */
async function readLists(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(`${PACKAGE}data`)).filter((file) => file.endsWith('.json')).sort();
  const texts = await Promise.all(files.map((file) => read(`data/${file}`)));
  return new Map(files.map((file, index) => [`data/${file}`, texts[index] ?? '']));
}
