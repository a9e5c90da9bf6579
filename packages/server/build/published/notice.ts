/** The NOTICE of the published form: whose work is in its bundles, with their licences. Dependencies bring their own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageSection } from '../../../collector/build/notice.ts';
import { INSIDE } from '../bundle.ts';

const LINE = '-'.repeat(80);
const HEAD =
  'Ghostlight\n\nLicensed under the Apache License, Version 2.0. It contains the following works of others.';

/** @param repository its folder @throws where one ships no licence */
export function notice(repository: string): string {
  const read = (path: string) => readFileSync(join(repository, path), 'utf8').trim();
  const inside = [...INSIDE].sort().map((name) => {
    const places = ['packages/server/node_modules', 'node_modules'].map((place) => `${place}/${name}`);
    const folder = places.find((place) => existsSync(join(repository, place)));
    if (folder === undefined) throw new Error(`${name} is not installed; run npm ci.`);
    return packageSection(folder);
  });
  const sections = [
    ...inside,
    `In the dashboard:\n\n${read('packages/dashboard/dist/licences.md')}`,
    `In the collector:\n\n${read('packages/collector/NOTICE')}`,
    read('packages/core/data/NOTICE.md'),
  ];
  return `${[HEAD, ...sections].join(`\n\n${LINE}\n\n`)}\n`;
}
