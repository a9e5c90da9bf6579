/** `ghostlight serve`: starts the service, tells the person where it is, and stops it in order when asked to. */
import type { Config } from '../config.ts';
import type { Service } from '../service.ts';
import { DEFAULT_SOURCE, pathOf } from '../sources/index.ts';
import type { Leaf } from './command.ts';

export const serve: Leaf = {
  name: 'serve',
  summary: 'start the service',
  about: 'It runs until Ctrl+C or SIGTERM, then stops gracefully. `npm start` does the same.',
  examples: [
    { does: 'On another port', command: 'PORT=8081 ghostlight serve' },
    { does: 'On PostgreSQL', command: 'DATABASE_URL=postgres://… ghostlight serve' },
  ],
  async run({ config, print }) {
    await runService(config, print);
    return undefined;
  },
};

/** A terminal's Ctrl+C reaches the launcher and the service, and the launcher passes it on: within this time it is one signal; milliseconds. */
const ONE_SIGNAL_MS = 1_000;
/** How long the process may live on after its stop; milliseconds. */
const LINGER_MS = 1_000;
/** How often the service looks whether its launcher lives; milliseconds. */
const PARENT_LOOK_MS = 500;

/**
 * Runs the service until a signal comes, or its launcher has ended; a second signal ends it at once.
 * @param started called once it listens; `stopped` is aborted when the stop begins. What it returns closes what it has opened, before
 *   the service stops.
 * @param beforeListening see `createService`
 */
export async function runService(
  config: Config,
  print: (line: string) => void,
  started: (service: Service, stopped: AbortSignal) => Promise<() => Promise<void>> = async () =>
    async () => {},
  beforeListening: () => Promise<void> = async () => {},
): Promise<void> {
  const stopping = new AbortController();
  const unwatch = watchParent(config.parentPid, () => stopping.abort());
  const signalled = new Promise<void>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(), { once: true });
    let first: number | null = null;
    const onSignal = () => {
      first ??= performance.now();
      if (performance.now() - first > ONE_SIGNAL_MS) process.exit(130);
      stopping.abort();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
  try {
    const { createService } = await import('../service.ts');
    const service = await createService(config, { listen: true, beforeListening });
    greet(service, config, print);
    // Without a network the log has a line for every source that could not be asked: the link stands below them.
    if (service.welcomeLink !== null && process.stderr.isTTY === true)
      void service.caughtUp.then(() => print(`  First account ${service.welcomeLink}`));
    try {
      const close = await started(service, stopping.signal);
      await signalled;
      await close();
    } finally {
      stopping.abort();
      await service.stop();
    }
  } finally {
    unwatch();
    // What the stop left behind (a query that hangs) must not hold the process.
    setTimeout(() => process.exit(), LINGER_MS).unref();
  }
}

/** A launcher that was killed can't pass a signal on. The kernel then gives this process another parent. @returns ends the watch */
function watchParent(pid: number | null, onEnd: () => void): () => void {
  if (pid === null) return () => {};
  const watch = setInterval(() => {
    if (process.ppid === pid) return;
    clearInterval(watch);
    onEnd();
  }, PARENT_LOOK_MS);
  watch.unref();
  return () => clearInterval(watch);
}

function greet(service: Service, config: Config, print: (line: string) => void): void {
  print(`Ghostlight ${service.version} is running.`);
  print(`  Dashboard     ${service.appBaseUrl}`);
  print(`  Ingest        ${service.baseUrl}${pathOf(DEFAULT_SOURCE.name)}`);
  print(`  Data          ${config.dataDir}`);
  if (service.welcomeLink !== null) {
    print(`  First account ${service.welcomeLink}`);
    print(
      '                Makes you the owner; works once, for 24 hours. The next start prints another one.',
    );
  }
  if (service.freshAdminToken !== null) {
    print(`  Admin token   ${service.freshAdminToken}`);
    print('                Shown once; it is kept in the file "admin-token" of the data directory.');
  }
}
