/**
 * `npm run release:sbom`: a CycloneDX bill of materials for each artefact, in dist/sbom, from the lockfile. It lists what is installed with
 * an artefact, and what its bundles were built from and with.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf, PUBLISHED, REPOSITORY, releaseVersion } from './packages.ts';

interface Bill {
  readonly metadata: { readonly component: Readonly<Record<string, unknown>> };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string }[];
}

const folder = join(REPOSITORY, 'dist/sbom');
mkdirSync(folder, { recursive: true });

function billOf(...words: readonly string[]): Bill {
  const text = execFileSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel', 'error', ...words],
    { cwd: REPOSITORY, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 },
  );
  return JSON.parse(text);
}
const ofWorkspace = (workspace: string): Bill => billOf('--workspace', workspace);

/** The first one, with what the others list besides. */
function together(first: Bill, ...others: readonly Bill[]): Bill {
  const all = [first, ...others];
  const components = new Map(all.flatMap((bill) => bill.components.map((one) => [one['bom-ref'], one])));
  const dependencies = new Map(all.flatMap((bill) => bill.dependencies.map((one) => [one.ref, one])));
  return { ...first, components: [...components.values()], dependencies: [...dependencies.values()] };
}

function write(file: string, name: string, version: string, bill: Bill): void {
  const type = file === 'image' ? 'container' : 'library';
  const purl = type === 'library' ? { purl: `pkg:npm/${name.replace('@', '%40')}@${version}` } : {};
  // npm names the workspace; the bill is that of the artefact.
  const component = { ...bill.metadata.component, type, name, version, ...purl };
  const whole = { ...bill, metadata: { ...bill.metadata, component } };
  writeFileSync(join(folder, `${file}.cdx.json`), `${JSON.stringify(whole, null, 2)}\n`);
  console.log(`dist/sbom/${file}.cdx.json: ${bill.components.length} components`);
}

// The Node that the service runs on is a dependency of the root. `--omit dev` alone would also leave out what the root develops with and
// the service needs, such as miniflare.
const service = together(
  ofWorkspace('packages/server'),
  billOf('--omit', 'dev'),
  ...['packages/dashboard', 'packages/sdk', 'packages/collector'].map(ofWorkspace),
);
for (const { name, workspace } of PUBLISHED) {
  const bill = workspace === 'packages/server' ? service : ofWorkspace(workspace);
  write(name.replace('@', '').replace('/', '-'), name, manifestOf(workspace).version, bill);
}
write('image', 'ghostlight', releaseVersion(), service);
