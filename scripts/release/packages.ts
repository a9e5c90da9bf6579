/** The npm packages of a release, in the order in which they are published. To add one, add it here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Published {
  readonly name: string;
  /** Its sources, and in `repository.directory`. */
  readonly workspace: string;
  /** What is published, once it is built (`npm run package`). */
  readonly folder: string;
}

export const PUBLISHED: readonly Published[] = [
  { name: '@ghostlight/core', workspace: 'packages/core', folder: 'packages/core/dist' },
  { name: '@ghostlight/sdk', workspace: 'packages/sdk', folder: 'packages/sdk' },
  { name: '@ghostlight/collector', workspace: 'packages/collector', folder: 'packages/collector' },
  { name: '@ghostlight/node', workspace: 'packages/node', folder: 'packages/node' },
  { name: 'ghostlight-tail', workspace: 'packages/tail', folder: 'packages/tail' },
  { name: 'ghostlight', workspace: 'packages/server', folder: 'dist/ghostlight' },
];

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly private?: boolean;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
  readonly publishConfig?: { readonly access: string; readonly provenance: boolean };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/** @param folder below the repository */
export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(REPOSITORY, folder, 'package.json'), 'utf8'));

/** Of the release: the service's. The collector has its own, because customers deploy it when they choose. */
export const releaseVersion = (): string => manifestOf('packages/server').version;
