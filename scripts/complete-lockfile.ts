/**
 * Completes package-lock.json with the platform packages that npm could not look up while it wrote the file.
 *
 * Packages such as Biome come as one optional package per platform. When a registry or mirror does not carry all of them, npm leaves the
 * missing ones out of the lockfile and `npm ci` then refuses the file as incomplete, even where none of them is needed. An entry with
 * the version that its parent asks for, and the platform that its name states, makes the file whole: npm skips it on every other
 * platform and fetches it on its own. Run after every `npm install`: node scripts/complete-lockfile.ts
 *
 * Such an entry has no hash, so npm would take any content for it. `--integrity` asks npm's registry for the hashes that are missing, one
 * package after the other; run it where the registry carries them, before a release.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

interface LockEntry {
  version?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}
interface Lockfile {
  packages: Record<string, LockEntry>;
}

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
const added: string[] = [];
for (const [place, { optionalDependencies, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    const platform = platformOf(name);
    if (platform === null || !/^\d/.test(version) || isLocked(place, name)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(dev === true ? { dev } : {}),
      optional: true,
    };
    added.push(name);
  }
}
const hashless = Object.entries(lock.packages).filter(
  ([place, { integrity, link }]) =>
    place.startsWith('node_modules/') && link !== true && integrity === undefined,
);
if (process.argv.includes('--integrity')) {
  for (const [place, entry] of hashless) {
    const hash = hashOf(`${place.slice(place.lastIndexOf('node_modules/') + 13)}@${entry.version}`);
    if (hash !== null) entry.integrity = hash;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added.length} platform packages added`);
const missing = hashless.filter(([, { integrity }]) => integrity === undefined).length;
if (missing > 0)
  console.log(`${missing} packages have no integrity hash; \`--integrity\` asks the registry for them`);

/** As npm's own client tells it; null where the registry does not carry the package. */
function hashOf(spec: string): string | null {
  try {
    const text = execFileSync('npm', ['view', spec, 'dist.integrity'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return /^sha512-[\w+/=]+$/.test(text) ? text : null;
  } catch {
    return null;
  }
}

function isLocked(place: string, name: string): boolean {
  return (
    lock.packages[`${place}/node_modules/${name}`] !== undefined ||
    lock.packages[`node_modules/${name}`] !== undefined
  );
}

/** The platform that a package's name states (`@biomejs/cli-linux-x64-musl`), or null when it states none. */
function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> | null {
  const words = name.split('/').at(-1)?.split('-') ?? [];
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu =
    PROCESSORS.find((processor) => words.includes(processor)) ??
    (words.includes('wasm32') ? 'wasm32' : undefined);
  if (os === undefined && cpu === undefined) return null;
  const musl = words.some((word) => word.startsWith('musl'));
  const libc = os === 'linux' ? { libc: [musl ? 'musl' : 'glibc'] } : {};
  return { ...(os === undefined ? {} : { os: [os] }), ...(cpu === undefined ? {} : { cpu: [cpu] }), ...libc };
}
