import { randomUUID } from 'node:crypto';
import type { Container, Description, Engine } from './engine.ts';
import { must, run } from './program.ts';

interface Inspected {
  readonly Size: number;
  readonly Config: {
    readonly User: string;
    readonly Volumes: Readonly<Record<string, unknown>>;
    readonly StopSignal: string;
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly Env: readonly string[];
  };
}

/** @param image its name; it is built under this name unless it was given */
export function docker(image: string, context: string): Engine {
  const label = `ghostlight.test=${randomUUID()}`;
  const containers: string[] = [];
  const volumes = new Map<string, string>();

  async function volumeOf(data: string): Promise<string> {
    const known = volumes.get(data);
    if (known !== undefined) return known;
    const made = (await must('docker', ['volume', 'create', '--label', label])).trim();
    volumes.set(data, made);
    return made;
  }

  return {
    name: 'docker',
    build: async () => void (await must('docker', ['build', '--tag', image, context], { shown: true })),
    async describe(): Promise<Description> {
      const [{ Size, Config }] = JSON.parse(await must('docker', ['image', 'inspect', image])) as [Inspected];
      return {
        user: Config.User,
        volumes: Object.keys(Config.Volumes),
        stopSignal: Config.StopSignal,
        entrypoint: Config.Entrypoint,
        command: Config.Cmd,
        environment: Object.fromEntries(Config.Env.map((line) => line.split(/=(.*)/s).slice(0, 2))),
        bytes: Size,
      };
    },
    async run(words, data): Promise<Container> {
      const id = (
        await must('docker', [
          ...['run', '--detach', '--label', label, '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'],
          ...['--security-opt', 'no-new-privileges', '--volume', `${await volumeOf(data)}:/data`],
          ...['--publish', '127.0.0.1::8080', '--publish', '127.0.0.1::8787', image, ...words],
        ])
      ).trim();
      containers.push(id);
      const portFromHere = async (port: number) =>
        Number((await must('docker', ['port', id, String(port)])).trim().split(':').at(-1));
      return {
        address: `http://127.0.0.1:${await portFromHere(8080)}`,
        portFromHere,
        execute: (command) => run('docker', ['exec', id, ...command]),
        async log() {
          const { stdout, stderr } = await run('docker', ['logs', id]);
          return stdout + stderr;
        },
        ended: async () =>
          (await must('docker', ['inspect', '--format', '{{.State.Running}}', id])).trim() !== 'true',
        async stop() {
          const began = performance.now();
          await must('docker', ['stop', '--time', '30', id]);
          const ms = performance.now() - began;
          return {
            code: Number(await must('docker', ['inspect', '--format', '{{.State.ExitCode}}', id])),
            ms,
          };
        },
      };
    },
    async dispose() {
      for (const id of containers) await run('docker', ['rm', '--force', id]);
      for (const volume of volumes.values()) await run('docker', ['volume', 'rm', volume]);
    },
  };
}
