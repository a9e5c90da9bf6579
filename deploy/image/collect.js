/**
 * `node collect.js FROM TO INSIDE`: moves what npm installed for the service, and the Node that it runs on, to the places that the published
 * package has (packages/server/build/published). npm also installs what packages can use where it is there (optional peers), such as the tools
 * of our developers: these stay behind, as does what the service's build has inside, which INSIDE lists (`dist/packages.json`).
 */
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [from = '', to = '', list = ''] = process.argv.slice(2);
const inside = new Set(JSON.parse(readFileSync(list, 'utf8')));
const { packages } = JSON.parse(readFileSync(join(from, 'package-lock.json'), 'utf8'));
const SERVICE = 'packages/server';

/** Places of the lockfile, from that of the service on. */
const needed = new Set();
const waiting = [SERVICE];
for (const place of waiting)
  for (const name of namesOf(packages[place])) {
    const found = resolve(place, name);
    if (found === undefined || needed.has(found)) continue;
    // What it imports itself, and is not inside, is a dependency of the service.
    if (inside.has(found) && isOurs(place)) continue;
    needed.add(found);
    // Of our own packages the code is in the bundle, and what it needs is not.
    waiting.push(packages[found].link === true ? packages[found].resolved : found);
  }

function namesOf({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

function isOurs(place) {
  return !place.includes('node_modules/');
}

/** As Node looks: in the package's own folder, then in those above it. */
function resolve(place, name) {
  for (let folder = place; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const found = join(folder, 'node_modules', name);
    if (packages[found] !== undefined) return found;
    if (folder === '') return undefined;
  }
}

mkdirSync(join(to, 'bin'), { recursive: true });
const node = Object.keys(packages).find(
  (place) => /^node_modules\/node-linux-/.test(place) && existsSync(join(from, place, 'bin/node')),
);
cpSync(join(from, node, 'bin/node'), join(to, 'bin/node'));
for (const place of needed) {
  // Of another platform, or our own.
  if (!existsSync(join(from, place)) || packages[place].link === true) continue;
  const there = join(to, place.replace(`${SERVICE}/`, 'server/'));
  // Packages inside a package are places of their own.
  const own = (file) => !file.slice(join(from, place).length).startsWith('/node_modules');
  cpSync(join(from, place), there, { recursive: true, filter: own });
}
