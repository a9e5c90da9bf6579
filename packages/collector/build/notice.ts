/** NOTICE: whose work the package contains, with their licences in full, as those ask for. Made of what was bundled, so that none can be forgotten. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const LINE = '-'.repeat(80);

/**
 * @param packages folders relative to the repository, as `Bundle` lists them
 * @throws when one of them states no licence, or ships no text of it
 */
export function noticeFor(packages: readonly string[]): string {
  const head =
    'Ghostlight collector\n\nLicensed under the Apache License, Version 2.0. It contains the following works of others.';
  const sections = [...new Set(packages)].sort().map(packageSection);
  return `${[head, ...sections, listsSection()].join(`\n\n${LINE}\n\n`)}\n`;
}

function packageSection(folder: string): string {
  const path = `${REPOSITORY}${folder}/`;
  const { name, version, license } = JSON.parse(readFileSync(`${path}package.json`, 'utf8'));
  const file = readdirSync(path).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
  if (typeof license !== 'string' || file === undefined) {
    throw new Error(`${folder} has no licence to ship; look into its repository, or do without it.`);
  }
  return `${name} ${version}, ${license}\n\n${readFileSync(`${path}${file}`, 'utf8').trim()}`;
}

function listsSection(): string {
  const text = readFileSync(`${REPOSITORY}packages/core/data/NOTICE.md`, 'utf8');
  return `The lists of bots, referrers and signature agents\n\n${text.replace(/^#.*\n+/, '').trim()}`;
}
