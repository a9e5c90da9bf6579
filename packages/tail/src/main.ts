/** The package's own command line: `ghostlight-tail [tail|import] FILE… --to URL`. */
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Fault, Misuse } from './faults.ts';
import { closeConnections } from './http.ts';
import { runImport } from './import.ts';
import { type CommandSpec, IMPORT, JSON_OPTION, TAIL, type Values } from './options.ts';
import type { Surroundings } from './surroundings.ts';
import { runTail } from './tail.ts';
import { VERSION } from './version.ts';

const COMMANDS = { tail: { spec: TAIL, run: runTail }, import: { spec: IMPORT, run: runImport } } as const;

/** @param argv the words after the command @returns the exit code: 0 done, 1 fault, 2 wrong usage, 3 done with rejects */
export async function main(argv: readonly string[], around: Surroundings): Promise<number> {
  const [word = ''] = argv;
  if (word === '--version' || word === '-V') {
    around.out(`${VERSION}\n`);
    return 0;
  }
  if (word === 'help' || ((word === '--help' || word === '-h') && argv.length === 1)) {
    around.out(overview());
    return 0;
  }
  // A piped log has no word for what is meant: `ghostlight-tail --to …`.
  const isNamed = Object.hasOwn(COMMANDS, word);
  const { spec, run } = COMMANDS[isNamed ? (word as keyof typeof COMMANDS) : 'tail'];
  try {
    const values = parse(spec, isNamed ? argv.slice(1) : argv);
    if (values === 'help') {
      around.out(helpOf(spec));
      return 0;
    }
    if (argv.length === 0 && around.stdin.isTTY === true) {
      around.out(overview());
      return 2;
    }
    const { exitCode, figures } = await run(values, around);
    if (values.flag('json')) around.out(`${JSON.stringify(figures)}\n`);
    return exitCode;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const hint = error instanceof Misuse ? `\n\nOptions: ghostlight-tail ${spec.name} --help` : '';
    around.error(`${error.message}${hint}\n`);
    return error instanceof Misuse ? 2 : 1;
  } finally {
    closeConnections();
  }
}

function parse(spec: CommandSpec, argv: readonly string[]): Values | 'help' {
  const options = Object.fromEntries([
    ...[...spec.options, JSON_OPTION].map(
      ({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
    ),
    ['help', { type: 'boolean', short: 'h' }] as const,
  ]);
  try {
    const { values: given, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const values: Readonly<Record<string, unknown>> = given;
    if (values['help'] === true) return 'help';
    return {
      files: positionals,
      option: (name) => (typeof values[name] === 'string' ? (values[name] as string) : undefined),
      flag: (name) => values[name] === true,
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Misuse(message.split('. To specify')[0] ?? message);
  }
}

function overview(): string {
  const lines = Object.values(COMMANDS).map(({ spec: { name, summary } }) => `  ${name.padEnd(8)}${summary}`);
  return `Usage: ghostlight-tail <command> FILE... --to URL\n\n${lines.join('\n')}\n\nOptions of a command: ghostlight-tail tail --help\n`;
}

function helpOf({ name, about, options: own, examples }: CommandSpec): string {
  const options = [...own, JSON_OPTION];
  const words = options.map(
    ({ name: option, value }) => `--${option}${value === undefined ? '' : ` ${value}`}`,
  );
  const width = Math.max(...words.map(({ length }) => length));
  const lines = options.map(
    ({ about: does, default: usual }, index) =>
      `  ${(words[index] ?? '').padEnd(width)}  ${does}${usual === undefined ? '' : ` (default: ${usual})`}`,
  );
  const shown = examples.map(({ does, command }) => `  ${does}:\n    ${command}`);
  return `Usage: ghostlight-tail ${name} FILE... --to URL\n\n${about}\n\n${lines.join('\n')}\n\nExamples:\n${shown.join('\n')}\n`;
}

/** This process, as a command sees it. */
export function processAround(): Surroundings {
  const controller = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      // Who asks twice means it.
      if (controller.signal.aborted) process.exit(130);
      controller.abort();
    });
  // A reader that leaves (`| head`) ends nothing with an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  return {
    env: process.env,
    stdin: process.stdin,
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
    stop: controller.signal,
    now: Date.now,
    random: Math.random,
    sleep: async (ms, stop) => {
      if (stop.aborted) return;
      await pause(ms, undefined, { signal: stop }).catch(() => undefined);
    },
    ask: process.stdin.isTTY ? askPerson : null,
    isTerminal: process.stderr.isTTY === true,
  };
}

async function askPerson(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
}
