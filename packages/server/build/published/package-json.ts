/** The package.json of the published form. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesInside } from './packages-inside.ts';

interface Workspace {
  readonly version: string;
  readonly license: string;
  readonly repository?: object;
  readonly dependencies: Readonly<Record<string, string>>;
}

interface Root {
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** @param repository its folder */
export function packageJson(repository: string): string {
  const read = (path: string) => JSON.parse(readFileSync(join(repository, path), 'utf8'));
  const {
    version,
    license,
    repository: location,
    dependencies,
  } = read('packages/server/package.json') as Workspace;
  const core = read('packages/core/package.json') as Pick<Workspace, 'dependencies'>;
  const { optionalDependencies } = read('package.json') as Root;
  const inside = new Set(packagesInside(repository).map((folder) => folder.replace(/^.*node_modules\//, '')));
  const published = {
    name: 'ghostlight',
    version,
    description:
      'Self-hosted analytics of AI crawlers, AI referrals and agents: tells real bots from fakes, and credits the conversions that they bring.',
    keywords: ['ai-crawlers', 'analytics', 'bot-verification', 'webmcp', 'attribution', 'self-hosted'],
    license,
    ...(location === undefined ? {} : { repository: location }),
    type: 'module',
    bin: { ghostlight: 'server/bin/ghostlight.js' },
    exports: { './package.json': './package.json' },
    // Exact versions, as they were tested. What is bundled needs no installation.
    dependencies: Object.fromEntries(
      Object.entries({ ...core.dependencies, ...dependencies }).filter(
        ([name]) => !name.startsWith('@ghostlight/') && !inside.has(name),
      ),
    ),
    // The Node that the service runs on. Where it can't be installed, the caller's own must do.
    optionalDependencies,
    engines: { node: '>=24' },
    os: ['linux', 'darwin'],
    cpu: ['x64', 'arm64'],
    publishConfig: { access: 'public', provenance: true },
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}
