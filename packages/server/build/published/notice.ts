/** The NOTICE of the published form: whose work is in its bundles, with their licences. Dependencies bring their own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageSection } from '../../../collector/build/notice.ts';
import { packagesInside } from './packages-inside.ts';

const LINE = '-'.repeat(80);
/** Published without a text of their licence: the same authors state the same one in this package. */
const TEXT_FROM: Readonly<Record<string, string>> = {
  'node_modules/@hono/zod-openapi': 'node_modules/hono',
  'node_modules/@hono/zod-validator': 'node_modules/hono',
};
const HEAD =
  'Ghostlight\n\nLicensed under the Apache License, Version 2.0. It contains the following works of others.';

/** @param repository its folder @throws where one ships no licence */
export function notice(repository: string): string {
  const read = (path: string) => readFileSync(join(repository, path), 'utf8').trim();
  const inside = packagesInside(repository).map((folder) => packageSection(folder, TEXT_FROM[folder]));
  const sections = [
    ...inside,
    `In the dashboard:\n\n${read('packages/dashboard/dist/licences.md')}`,
    read('packages/dashboard/src/features/marks/logos/README.md'),
    ...['inter', 'jetbrains-mono'].map((font) => read(`packages/dashboard/src/fonts/${font}.LICENSE.txt`)),
    `In the collector:\n\n${read('packages/collector/NOTICE')}`,
    read('packages/core/data/NOTICE.md'),
  ];
  return `${[HEAD, ...sections].join(`\n\n${LINE}\n\n`)}\n`;
}
