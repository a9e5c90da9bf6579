/** The package.json of the published form. */
import { readFile } from 'node:fs/promises';
import { DOORS } from './doors.ts';

/** What both forms have in common. */
export interface PackageIdentity {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** Set before the first publication: npm compares it with the place that the provenance names. */
  readonly repository?: unknown;
}

export async function readIdentity(): Promise<PackageIdentity> {
  return JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
}

export function packageJson({ name, version, description, license, repository }: PackageIdentity): string {
  const doors = DOORS.map(({ subpath, module, source }) => [
    subpath,
    { types: `./types/${source}.d.ts`, default: `./${module}.js` },
  ]);
  const published = {
    name,
    version,
    description,
    keywords: ['webmcp', 'ai-agents', 'ai-crawlers', 'attribution', 'ed25519'],
    license,
    repository,
    type: 'module',
    sideEffects: false,
    exports: {
      ...Object.fromEntries(doors),
      './data/*.json': './data/*.json',
      './package.json': './package.json',
    },
    types: './types/index.d.ts',
    // The first with Ed25519 in WebCrypto and well-formed strings; runtimes at the edge and browsers are not asked.
    engines: { node: '>=20' },
    publishConfig: { access: 'public', provenance: true },
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}
