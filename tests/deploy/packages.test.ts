/** Names, versions and licences of everything that a release publishes. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { packageJson } from '../../packages/server/build/published/package-json.ts';
import { type Manifest, manifestOf, PUBLISHED, releaseVersion } from '../../scripts/release/packages.ts';
import { ROOT, read, readYaml } from './files.ts';

const workspaces = readdirSync(`${ROOT}packages`).filter((name) =>
  readdirSync(`${ROOT}packages/${name}`).includes('package.json'),
);
/** As it is published: core's and the service's package.json are made. */
const published = PUBLISHED.map(({ name, workspace }): { workspace: string; manifest: Manifest } => ({
  workspace,
  manifest:
    name === 'ghostlight'
      ? JSON.parse(packageJson(ROOT))
      : { ...manifestOf(workspace), ...(name === '@ghostlight/core' ? { private: false } : {}) },
}));

it('every workspace that npm may publish is in the list of a release, under its own name', () => {
  const open = workspaces
    .map((name) => manifestOf(`packages/${name}`))
    .filter(({ private: isPrivate }) => isPrivate !== true);
  expect(PUBLISHED.map(({ name }) => name)).toEqual(expect.arrayContaining(open.map(({ name }) => name)));
  for (const { manifest } of published) expect(PUBLISHED.map(({ name }) => name)).toContain(manifest.name);
});

it('all of them have one licence, and the same repository once it is known', () => {
  for (const { manifest, workspace } of published) {
    expect(manifest.license).toBe('Apache-2.0');
    expect(manifest.private ?? false).toBe(false);
    if (manifest.repository !== undefined) expect(manifest.repository.directory).toBe(workspace);
  }
  expect(new Set(published.map(({ manifest }) => manifest.repository?.url)).size).toBe(1);
});

it('those with a package.json of their own ask npm for provenance', () => {
  for (const { manifest } of published.filter(({ manifest: { name } }) => name !== '@ghostlight/core'))
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
});

it('a package needs another one of ours in the version that it has', () => {
  const versions = new Map(
    workspaces.map((name) => {
      const { name: full, version } = manifestOf(`packages/${name}`);
      return [full, version];
    }),
  );
  for (const name of workspaces) {
    const { dependencies = {}, devDependencies = {} } = manifestOf(`packages/${name}`);
    for (const [needed, version] of Object.entries({ ...dependencies, ...devDependencies }))
      if (versions.has(needed)) expect(version, `${name} → ${needed}`).toBe(versions.get(needed));
  }
});

it('the version of a release is the same in the repository, the chart and the compose files', () => {
  const version = releaseVersion();
  expect((JSON.parse(read('package.json')) as { version: string }).version).toBe(version);
  expect((JSON.parse(read('package-lock.json')) as { version: string }).version).toBe(version);
  expect(readYaml<{ appVersion: string }>('deploy/helm/ghostlight/Chart.yaml').appVersion).toBe(version);
  for (const file of ['compose.yaml', 'deploy/cluster/compose.yaml'])
    expect(read(file), file).toContain(`\${GHOSTLIGHT_IMAGE:-ghostlight:${version}}`);
});
