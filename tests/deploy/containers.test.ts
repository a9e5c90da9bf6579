/** The Dockerfile and the compose files, as far as they can be checked without a builder (`npm run image:test` has one). */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOT, read, readYaml } from './files.ts';

interface Service {
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>> | readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly volumes?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const dockerfile = read('Dockerfile');

describe('the image', () => {
  it('installs from the package.json of every workspace', () => {
    const copied = [...dockerfile.matchAll(/^COPY packages\/(\w+)\/package\.json/gm)].map(
      (match) => match[1],
    );
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    expect(copied).toEqual(workspaces.map((path) => path.replace('packages/', '')).sort());
  });

  it('has a user by number, one volume, and a command that receives signals itself', () => {
    expect(dockerfile).toMatch(/^USER (\d+):\1$/m);
    expect(dockerfile).toMatch(/^VOLUME \/data$/m);
    expect(dockerfile).toMatch(/^ENTRYPOINT \["ghostlight"\]$/m);
    expect(dockerfile).toMatch(/^STOPSIGNAL SIGTERM$/m);
  });

  it('copies only files that the build context has', () => {
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map((match) => match[1] ?? '');
    const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap((match) =>
      (match[1] ?? '').split(' '),
    );
    for (const source of sources.filter((name) => name !== '.'))
      expect(
        allowed.some((path) => source === path || source.startsWith(`${path}/`)),
        source,
      ).toBe(true);
    expect(sources.length).toBeGreaterThan(8);
  });
});

describe.each([
  ['compose.yaml', '', ['ghostlight']],
  ['deploy/cluster/compose.yaml', 'deploy/cluster/', ['ghostlight-1', 'ghostlight-2']],
])('%s', (file, folder, nodes) => {
  const { services, volumes } = readYaml<Compose>(file);

  it('gives the service and the proxy no more rights than they need, and 30 seconds to stop', () => {
    for (const name of [...nodes, 'caddy']) {
      expect(services[name], name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
    for (const name of nodes) expect(services[name]?.stop_grace_period).toBe('30s');
  });

  it('lets the proxy wait for nodes that accept hits', () => {
    expect(services['caddy']?.depends_on).toEqual(
      Object.fromEntries(nodes.map((name) => [name, { condition: 'service_healthy' }])),
    );
    for (const name of nodes)
      expect(services[name]?.healthcheck?.test).toEqual(['CMD', 'node', '/app/image/health.js', '/readyz']);
  });

  it('mounts only volumes that it declares, and files that exist', () => {
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? []);
    const sources = mounted.map((mount) => mount.split(':')[0] ?? '');
    expect(sources.filter((source) => !source.startsWith('./')).sort()).toEqual(Object.keys(volumes).sort());
    for (const source of sources.filter((name) => name.startsWith('./')))
      expect(read(`${folder}${source.slice(2)}`).length, source).toBeGreaterThan(0);
  });

  it('sets only variables that the service reads', () => {
    const known = read('packages/server/src/config.ts');
    for (const name of nodes)
      for (const variable of Object.keys(services[name]?.environment ?? {}))
        expect(known, variable).toContain(`'${variable}'`);
  });
});

it('compose.yaml asks for a domain and for nothing else', () => {
  const asked = [...read('compose.yaml').matchAll(/\$\{(\w+)(:[?-])/g)].map((match) => [match[1], match[2]]);
  expect(asked.filter(([, how]) => how === ':?').map(([name]) => name)).toEqual(['DOMAIN', 'DOMAIN']);
  expect(asked.filter(([, how]) => how === ':-').map(([name]) => name)).toEqual(['GHOSTLIGHT_IMAGE']);
});

it('secrets of the cluster are new each time, and long enough', async () => {
  const { execFileSync } = await import('node:child_process');
  const make = () => execFileSync('sh', [`${ROOT}deploy/cluster/secrets.sh`], { encoding: 'utf8' });
  const [first, second] = [make(), make()];
  const asked = [...read('deploy/cluster/compose.yaml').matchAll(/\$\{(\w+):\?/g)].map((match) => match[1]);
  for (const name of asked) expect(first).toMatch(new RegExp(`^${name}=[0-9a-f]{64}$`, 'm'));
  expect(first).not.toBe(second);
});

it('every folder of deploy/ is described in the guide to installing', () => {
  const guide = read('docs/install.md');
  for (const name of ['caddy', 'cluster', 'helm', 'systemd']) {
    expect(readdirSync(`${ROOT}deploy`)).toContain(name);
    expect(guide.includes(`deploy/${name}`), name).toBe(true);
  }
});
