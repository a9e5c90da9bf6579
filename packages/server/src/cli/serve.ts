/** `ghostlight serve`: starts the service, tells the person where it is, and stops it in order when asked to. */
import type { Config } from '../config.ts';
import type { Service } from '../service.ts';
import type { Command } from './command.ts';

export const serve: Command = {
  name: 'serve',
  usage: '',
  summary: 'start the service',
  async run({ config, print }) {
    await runService(config, print);
  },
};

/**
 * Runs the service until a signal comes; a second signal ends it at once.
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
  const signalled = new Promise<void>((resolve) => {
    const onSignal = () => {
      if (stopping.signal.aborted) process.exit(130);
      stopping.abort();
      resolve();
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
  const { createService } = await import('../service.ts');
  const service = await createService(config, { listen: true, beforeListening });
  greet(service, config, print);
  try {
    const close = await started(service, stopping.signal);
    await signalled;
    await close();
  } finally {
    stopping.abort();
    await service.stop();
  }
}

function greet(service: Service, config: Config, print: (line: string) => void): void {
  print(`Ghostlight ${service.version} is on.`);
  print(`  Dashboard     ${service.appBaseUrl}`);
  print(`  Ingest        ${service.baseUrl}/v1/logs/edge_worker`);
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
