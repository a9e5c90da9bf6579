/** Builds with buildah and runs in namespaces: as root on a machine without a daemon or a registry. Debian has everything it needs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../harness/free-port.ts';
import { makeBases } from './base.ts';
import type { Container, Description, Engine } from './engine.ts';
import { must, run } from './program.ts';

interface Inspected {
  readonly Docker: {
    readonly config: {
      readonly User: string;
      readonly Volumes: Readonly<Record<string, unknown>>;
      readonly StopSignal: string;
      readonly Entrypoint: readonly string[];
      readonly Cmd: readonly string[];
      readonly Env: readonly string[];
    };
  };
}

const SANDBOX = fileURLToPath(new URL('./sandbox.sh', import.meta.url));
const STOP_LIMIT_MS = 30_000;

/** @param image its name @param folder keeps everything: images, base, volumes */
export function buildah(image: string, context: string, folder: string): Engine {
  mkdirSync(folder, { recursive: true });
  const policy = join(folder, 'policy.json');
  writeFileSync(policy, JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] }));
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };
  const places = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')];
  const runs = (words: readonly string[], shown = false) =>
    must('buildah', [...places, ...words], { env, shown });
  const started: ChildProcess[] = [];
  let mounted: { readonly container: string; readonly root: string } | null = null;

  async function mount(): Promise<string> {
    if (mounted !== null) return mounted.root;
    const container = (await runs(['from', '--pull-never', image])).trim();
    const root = (await runs(['mount', container])).trim();
    mounted = { container, root };
    return root;
  }

  async function settings(): Promise<Omit<Description, 'bytes'>> {
    const { Docker } = JSON.parse(await runs(['inspect', '--type', 'image', image])) as Inspected;
    const { config } = Docker;
    return {
      user: config.User,
      volumes: Object.keys(config.Volumes),
      stopSignal: config.StopSignal,
      entrypoint: config.Entrypoint,
      command: config.Cmd,
      environment: Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2))),
    };
  }

  /** npm installs from this machine's cache where it can, and accepts the certificates that this machine accepts. */
  async function npmOfThisMachine(): Promise<readonly string[]> {
    const registry = (await must('npm', ['config', 'get', 'registry', '--loglevel', 'error'])).trim();
    const cache = (await must('npm', ['config', 'get', 'cache', '--loglevel', 'error'])).trim();
    const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
    const file = join(folder, 'npmrc');
    const lines = [`registry=${registry}`, ...(certificates === undefined ? [] : ['cafile=/etc/npm-ca.crt'])];
    writeFileSync(file, `${lines.join('\n')}\n`);
    return [
      ...['--volume', `${file}:/root/.npmrc:ro`, '--volume', `${cache}:/root/.npm`],
      ...(certificates === undefined ? [] : ['--volume', `${certificates}:/etc/npm-ca.crt:ro`]),
    ];
  }

  return {
    name: 'buildah',
    async build() {
      const text = readFileSync(join(context, 'Dockerfile'), 'utf8');
      const argument = (name: string) => new RegExp(`^ARG ${name}=(\\S+)$`, 'm').exec(text)?.[1] ?? '';
      const images = { node: argument('NODE_IMAGE'), base: argument('BASE_IMAGE') };
      const known = await run('buildah', [...places, 'inspect', '--type', 'image', images.node], { env });
      if (known.code !== 0) await makeBases((...words) => runs(withPolicy(words, policy)), images, folder);
      await runs(
        [
          ...['bud', '--signature-policy', policy, '--pull-never', '--format', 'docker'],
          ...[...(await npmOfThisMachine()), '--tag', image, context],
        ],
        true,
      );
    },
    async describe() {
      const bytes = Number((await must('du', ['-sb', '--one-file-system', await mount()])).split('\t')[0]);
      return { ...(await settings()), bytes };
    },
    async run(words, data): Promise<Container> {
      const root = await mount();
      const { user, entrypoint, command, environment } = await settings();
      const [uid = 0, gid = 0] = user.split(':').map(Number);
      const volume = join(folder, 'volumes', data);
      mkdirSync(volume, { recursive: true, mode: 0o700 });
      chownSync(volume, uid, gid);
      const port = await freePort();
      // The network is this machine's, so the port is one that is free.
      const variables = Object.entries({ ...environment, PORT: String(port) });
      const clean = ['env', '-i', ...variables.map(([name, value]) => `${name}=${value}`)];
      const called = [...entrypoint, ...(words.length === 0 ? command : words)];
      const child = spawn(
        'unshare',
        [
          ...['--mount', '--pid', '--fork', '--kill-child', '--ipc', '--uts', 'sh', SANDBOX],
          ...[root, volume, String(uid), String(gid), ...clean, ...called],
        ],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
      started.push(child);
      let log = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          log += text;
        });
      const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
      return {
        address: `http://127.0.0.1:${port}`,
        portFromHere: async (given) => given,
        async execute(words) {
          const enter = [
            '--target',
            String(firstOf(child)),
            '--mount',
            '--pid',
            '--ipc',
            '--uts',
            '--root',
            '--wd',
          ];
          const limits = [
            'setpriv',
            `--reuid=${uid}`,
            `--regid=${gid}`,
            '--clear-groups',
            '--no-new-privs',
            '--bounding-set=-all',
            '--inh-caps=-all',
          ];
          return await run('nsenter', [...enter, ...limits, ...clean, ...words]);
        },
        log: async () => log,
        ended: async () => child.exitCode !== null || child.signalCode !== null,
        async stop() {
          const began = performance.now();
          process.kill(firstOf(child), 'SIGTERM');
          const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
          const [code] = await exit;
          clearTimeout(limit);
          return { code: code ?? 137, ms: performance.now() - began };
        },
      };
    },
    async dispose() {
      for (const child of started) child.kill('SIGKILL');
      if (mounted !== null) await runs(['rm', mounted.container]);
      rmSync(join(folder, 'volumes'), { recursive: true, force: true });
    },
  };
}

/** The process that has number 1 inside. */
const firstOf = ({ pid }: ChildProcess): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());

/** Those of its commands that read images want to know whose signatures are accepted. */
const withPolicy = ([command = '', ...words]: readonly string[], policy: string): readonly string[] =>
  command === 'from' || command === 'commit'
    ? [command, '--signature-policy', policy, ...words]
    : [command, ...words];
