/** The command line: finds the command, reads the configuration, and turns known failures into one sentence and an exit code. */
import { alerts } from './cli/alerts.ts';
import { CommandError } from './cli/client.ts';
import type { Command } from './cli/command.ts';
import { deliveries } from './cli/deliveries.ts';
import { demo } from './cli/demo/index.ts';
import { destinations } from './cli/destinations.ts';
import { doctor } from './cli/doctor.ts';
import { keys } from './cli/keys.ts';
import { lists } from './cli/lists.ts';
import { manifest } from './cli/manifest.ts';
import { migrate } from './cli/migrate.ts';
import { people } from './cli/people.ts';
import { properties } from './cli/properties.ts';
import { rollup } from './cli/rollup.ts';
import { serve } from './cli/serve.ts';
import { spool } from './cli/spool.ts';
import { visitors } from './cli/visitors.ts';
import { webhooks } from './cli/webhooks.ts';
import { startSentence } from './common/index.ts';
import { StoreUnreachable } from './composition/stores.ts';
import { ConfigError, loadConfig } from './config.ts';
import { DecryptError } from './database/index.ts';
import { SpoolOpenError } from './spool/index.ts';
import { EmbeddedEngineError, SchemaTooNew, WarehouseMisconfigured } from './warehouse/index.ts';

const COMMANDS: readonly Command[] = [
  serve,
  demo,
  doctor,
  people,
  properties,
  keys,
  lists,
  manifest,
  webhooks,
  destinations,
  deliveries,
  alerts,
  rollup,
  spool,
  visitors,
  migrate,
];

function usage(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: ghostlight <command>\n\n${lines.join('\n')}\n\nSettings are environment variables; docs/configuration.md lists them.`;
}

/** `--name value`, `--name=value` and `--flag` out of the words. */
function parse(
  argv: readonly string[],
  flags: readonly string[],
): { words: string[]; options: Map<string, string> } {
  const words: string[] = [];
  const options = new Map<string, string>();
  const give = (name: string, value: string) => {
    const before = options.get(name);
    options.set(name, before === undefined ? value : `${before},${value}`);
  };
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (!word.startsWith('--')) {
      words.push(word);
      continue;
    }
    const [name = '', inline] = word.slice(2).split(/=(.*)/s);
    const next = argv[index + 1];
    if (inline !== undefined) give(name, inline);
    else if (next !== undefined && !next.startsWith('--') && !flags.includes(name)) {
      give(name, next);
      index += 1;
    } else give(name, '');
  }
  return { words, options };
}

async function main(): Promise<number> {
  // Whoever reads our output may stop reading (`| head`); that ends no service, and is no fault of a command.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const argv = process.argv.slice(2);
  // Which options are flags, the command says.
  const first = argv.find((word) => !word.startsWith('--'));
  const flags = COMMANDS.find(({ name }) => name === first)?.flags ?? [];
  const { words, options } = parse(argv, flags);
  const [name, ...rest] = words;
  const command = COMMANDS.find((candidate) => candidate.name === name);
  const print = (line: string) => process.stdout.write(`${line}\n`);
  if (command === undefined || options.has('help')) {
    print(
      command === undefined
        ? usage()
        : `Usage: ghostlight ${command.name} ${command.usage}\n\n${command.summary}`,
    );
    return name === undefined || name === 'help' || options.has('help') ? 0 : 2;
  }
  try {
    refuseUnknown(command, options);
    await command.run({ words: rest, options, config: loadConfig(), print });
    return 0;
  } catch (error) {
    const sentence = told(error);
    if (sentence === null) throw error;
    process.stderr.write(`${sentence}\n`);
    return 1;
  }
}

/** A misspelt option would be left out without a word: `--propertyy` makes a key of no property. @throws CommandError */
function refuseUnknown({ name, usage: form }: Command, options: ReadonlyMap<string, string>): void {
  const known = [...form.matchAll(/--([a-z][a-z-]*)/g)].map(([, option]) => option);
  const unknown = [...options.keys()].find((option) => !known.includes(option));
  if (unknown === undefined) return;
  const hint =
    known.length === 0
      ? 'It takes no options.'
      : `Its options: ${[...new Set(known)].map((one) => `--${one}`).join(', ')}.`;
  throw new CommandError(`ghostlight ${name} has no option --${unknown}. ${hint}`);
}

/** What a person can mend is told in one sentence; null: a fault of ours, shown with its stack. */
function told(error: unknown): string | null {
  const known = [
    ConfigError,
    CommandError,
    DecryptError,
    EmbeddedEngineError,
    StoreUnreachable,
    SpoolOpenError,
    SchemaTooNew,
    WarehouseMisconfigured,
  ];
  if (known.some((kind) => error instanceof kind))
    return error instanceof Error ? error.message : String(error);
  return startSentence(error);
}

process.exitCode = await main();
