/** The NOTICE of the published form: whose work is in its bundles, with their licences. Dependencies bring their own. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSIDE } from '../bundle.ts';

const LINE = '-'.repeat(80);
const HEAD =
  'Ghostlight\n\nLicensed under the Apache License, Version 2.0. It contains the following works of others.';

/** @param repository its folder @throws where one ships no licence */
export function notice(repository: string): string {
  const read = (path: string) => readFileSync(join(repository, path), 'utf8').trim();
  const inside = [...INSIDE].sort().map((name) => {
    const folder = ['packages/server/node_modules', 'node_modules']
      .map((place) => `${place}/${name}`)
      .find((place) => filesOf(join(repository, place)).includes('package.json'));
    if (folder === undefined) throw new Error(`${name} is not installed; run npm ci.`);
    const { version, license } = JSON.parse(read(`${folder}/package.json`));
    const file = filesOf(join(repository, folder)).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence to ship.`);
    return `${name} ${version}, ${license}\n\n${read(`${folder}/${file}`)}`;
  });
  const sections = [
    ...inside,
    `In the dashboard:\n\n${read('packages/dashboard/dist/licences.md')}`,
    `In the collector:\n\n${read('packages/collector/NOTICE')}`,
    read('packages/core/data/NOTICE.md'),
  ];
  return `${[HEAD, ...sections].join(`\n\n${LINE}\n\n`)}\n`;
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
