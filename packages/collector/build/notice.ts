/** NOTICE: whose work the package contains, with their licences in full where those ask for it. Made of what was bundled, so that none can be forgotten. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const LINE = '-'.repeat(80);
/** Public domain: such a work is named, its dedication need not be repeated. */
const ASK_NOTHING: ReadonlySet<string> = new Set(['Unlicense', 'CC0-1.0']);

/**
 * @param name of the package that it is for
 * @param packages folders relative to the repository, as `Bundle` lists them
 * @throws when one of them states no licence, or ships no text of it
 */
export function noticeFor(name: string, packages: readonly string[]): string {
  const head = `${name}\n\nLicensed under the Apache License, Version 2.0. It contains the following works of others.`;
  const sections = [...new Set(packages)].sort().map((folder) => packageSection(folder));
  return `${[head, ...sections, listsSection()].join(`\n\n${LINE}\n\n`)}\n`;
}

/**
 * One work with its licence.
 * @param folder relative to the repository
 * @param textFrom the folder that has the text, where it is another one
 */
export function packageSection(folder: string, textFrom = folder): string {
  const { name, version, license } = JSON.parse(readFileSync(`${REPOSITORY}${folder}/package.json`, 'utf8'));
  const path = `${REPOSITORY}${textFrom}/`;
  const file = readdirSync(path).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
  if (typeof license !== 'string' || file === undefined) {
    throw new Error(`${folder} has no licence to ship; look into its repository, or do without it.`);
  }
  const title = `${name} ${version}, ${license}`;
  return ASK_NOTHING.has(license) ? title : `${title}\n\n${readFileSync(`${path}${file}`, 'utf8').trim()}`;
}

/** The licence that the lists' data asks to be shipped. Where each row is from is said in the file itself, for who changes the lists. */
function listsSection(): string {
  const text = readFileSync(`${REPOSITORY}packages/core/data/NOTICE.md`, 'utf8');
  const licence = text.indexOf('## ');
  if (licence === -1) throw new Error('packages/core/data/NOTICE.md states no licence.');
  return `The names of user agents in the lists: ${text.slice(licence + 3).trim()}`;
}
