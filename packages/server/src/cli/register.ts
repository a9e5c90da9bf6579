/**
 * Every command, in the order of the help. To add one, write its entry in a file of this folder and list it here by its name. The file is
 * loaded when the command is called, so that no command waits for what another one needs.
 */
import type { Command } from './command.ts';
import type { Section } from './program.ts';

interface Listed {
  readonly title: string;
  readonly commands: Readonly<Record<string, () => Promise<Command>>>;
}

const LISTED: readonly Listed[] = [
  {
    title: 'Service:',
    commands: {
      serve: async () => (await import('./serve.ts')).serve,
      demo: async () => (await import('./demo/index.ts')).demo,
      doctor: async () => (await import('./doctor.ts')).doctor,
      spool: async () => (await import('./spool.ts')).spool,
      migrate: async () => (await import('./migrate.ts')).migrate,
      takeout: async () => (await import('./takeout.ts')).takeout,
      backup: async () => (await import('./backup.ts')).backup,
      restore: async () => (await import('./backup.ts')).restore,
      move: async () => (await import('./move.ts')).move,
    },
  },
  {
    title: 'Visits:',
    commands: {
      properties: async () => (await import('./properties.ts')).properties,
      keys: async () => (await import('./keys.ts')).keys,
      lists: async () => (await import('./lists.ts')).lists,
      logs: async () => (await import('./logs.ts')).logs,
      open: async () => (await import('./open.ts')).open,
      rollup: async () => (await import('./rollup.ts')).rollup,
      tail: async () => (await import('./tail.ts')).tail,
      import: async () => (await import('./tail.ts')).imports,
      alerts: async () => (await import('./alerts.ts')).alerts,
    },
  },
  {
    title: 'Agents:',
    commands: { manifest: async () => (await import('./manifest.ts')).manifest },
  },
  {
    title: 'Conversions:',
    commands: {
      webhooks: async () => (await import('./webhooks.ts')).webhooks,
      destinations: async () => (await import('./destinations.ts')).destinations,
      deliveries: async () => (await import('./deliveries.ts')).deliveries,
    },
  },
  {
    title: 'People:',
    commands: {
      people: async () => (await import('./people.ts')).people,
      visitors: async () => (await import('./visitors.ts')).visitors,
    },
  },
  {
    title: 'Command line:',
    commands: { completion: async () => (await import('./completion.ts')).completionOf(everyCommand) },
  },
];

/** The command that these words call; all of them for the help of the program, and for words that name none. */
export async function commandsFor(argv: readonly string[]): Promise<readonly Section[]> {
  const called = (argv[0] === 'help' ? argv[1] : argv[0]) ?? '';
  const known = LISTED.some(({ commands }) => Object.hasOwn(commands, called));
  const sections = LISTED.map(async ({ title, commands }) => ({
    title,
    commands: await Promise.all(
      Object.entries(commands).flatMap(([name, load]) => (!known || name === called ? [load()] : [])),
    ),
  }));
  return (await Promise.all(sections)).filter(({ commands }) => commands.length > 0);
}

async function everyCommand(): Promise<readonly Command[]> {
  return (await commandsFor([])).flatMap((section) => section.commands);
}
