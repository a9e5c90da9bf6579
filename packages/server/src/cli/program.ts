/**
 * From the words of a command line to its exit code: 0 done, 1 failed, 2 wrong usage. commander parses and writes the help; what
 * there is to parse is in the register.
 */
import { Command as Commander, CommanderError } from 'commander';
import type { Config } from '../config.ts';
import { inOrder } from './argument-order.ts';
import { connect } from './client.ts';
import {
  type Answer,
  type ApiClient,
  type Command,
  type CommandContext,
  CommandError,
  isGroup,
  type Leaf,
  type Option,
  UsageError,
} from './command.ts';
import { describe, optionWords, usageLine, usageWords, writeHelp } from './help.ts';

export interface Section {
  readonly title: string;
  readonly commands: readonly Command[];
}

export interface Surroundings {
  readonly version: string;
  /** Standard output. */
  out(text: string): void;
  /** Standard error. */
  error(text: string): void;
  /** Whether a person reads what is printed. */
  readonly interactive: boolean;
  /** @throws ConfigError */
  loadConfig(): Config;
}

/** @param argv the words after `ghostlight` @returns the exit code @throws what is a fault of ours */
export async function runCommandLine(
  sections: readonly Section[],
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  let exitCode = 0;
  const program = new Commander('ghostlight')
    .version(surroundings.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    // `help` is read by argument-order.ts, which knows several levels.
    .helpCommand(false)
    // Errors are printed below.
    .configureOutput({ writeOut: surroundings.out, writeErr: surroundings.error, outputError: () => {} })
    .exitOverride();
  writeHelp(program, [], null);
  const run: Run = async (leaf, made, usage) => {
    const values = valuesOf(made, leaf, usage);
    try {
      exitCode = await runLeaf(leaf, values, surroundings);
    } catch (error) {
      throw error instanceof UsageError ? misuse(error.message, usage) : error;
    }
  };
  for (const { title, commands } of sections) {
    program.commandsGroup(title);
    for (const command of commands) add(program, [], command, run);
  }
  const commands = sections.flatMap((section) => section.commands);
  try {
    const words = inOrder(argv, commands);
    await program.parseAsync(words.length === 0 ? ['--help'] : words, { from: 'user' });
    return exitCode;
  } catch (error) {
    return await tell(error, surroundings);
  }
}

type Run = (leaf: Leaf, made: Commander, usage: readonly string[]) => Promise<void>;

function add(parent: Commander, above: readonly string[], command: Command, run: Run): void {
  const path = [...above, command.name];
  const usage = [
    `Usage: ${usageLine(path, command)}`,
    `Options and examples: ghostlight help ${path.join(' ')}`,
  ];
  const made = parent
    .command(command.name)
    .summary(command.summary)
    .description(descriptionOf(command))
    .usage(above.length === 0 ? command.name : `${command.name} ${usageWords(command)}`.trimEnd())
    .exitOverride((error) => {
      // Help that was asked for, or that is shown where a subcommand is missing.
      if (error.exitCode === 0 || error.code === 'commander.help') throw error;
      throw misuse(sentenceOf(error.message), usage);
    });
  writeHelp(made, path, command);
  if (isGroup(command)) {
    made.helpCommand(false);
    for (const subcommand of command.subcommands) add(made, path, subcommand, run);
    return;
  }
  for (const argument of command.arguments ?? []) {
    const { name, optional, repeats } = argument;
    const words = `${name}${repeats === true ? '...' : ''}`;
    made.argument(optional === true ? `[${words}]` : `<${words}>`, describe(argument));
  }
  for (const option of command.options ?? []) addOption(made, option, usage);
  if (command.json !== undefined) made.option('--json', jsonWords(command.json));
  made.action(async () => await run(command, made, usage));
}

function addOption(made: Commander, option: Option, usage: readonly string[]): void {
  const { name, value: placeholder, choices, number, repeats } = option;
  if (placeholder === undefined) {
    made.option(optionWords(option), describe(option));
    return;
  }
  const read = (value: string, before: string | undefined): string => {
    if (value === '' || value.startsWith('--')) throw misuse(`--${name} needs a value.`, usage);
    if (choices?.includes(value) === false)
      throw misuse(`--${name} is one of ${choices.join(', ')}, not "${value}".`, usage);
    if (number === true && !Number.isFinite(Number(value)))
      throw misuse(`--${name} is a number, not "${value}".`, usage);
    return repeats === true && before !== undefined ? `${before},${value}` : value;
  };
  made.option(`--${name} <${placeholder}>`, describe(option), read);
}

type Values = Pick<CommandContext, 'argument' | 'arguments' | 'option' | 'number' | 'flag'>;

/** @throws Misuse where a required option is missing, or a word is none of its argument's choices */
function valuesOf(made: Commander, leaf: Leaf, usage: readonly string[]): Values {
  const options = new Map(
    made.options.map((option) => [option.name(), made.getOptionValue(option.attributeName()) as unknown]),
  );
  const words = new Map(
    (leaf.arguments ?? []).map(({ name }, index) => [name, made.processedArgs[index] as unknown]),
  );
  for (const { name, about, required } of leaf.options ?? [])
    if (required === true && options.get(name) === undefined)
      throw misuse(`--${name} is missing: ${about}.`, usage);
  for (const { name, choices } of leaf.arguments ?? []) {
    const word = words.get(name);
    if (typeof word === 'string' && choices?.includes(word) === false)
      throw misuse(`${name} is one of ${choices.join(', ')}, not "${word}".`, usage);
  }
  const option = (name: string): string | undefined => {
    const value = options.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    argument: (name) => String(words.get(name) ?? ''),
    arguments: (name) => (words.get(name) as string[] | undefined) ?? [],
    option,
    number: (name) => {
      const value = option(name);
      return value === undefined ? undefined : Number(value);
    },
    flag: (name) => options.get(name) === true,
  };
}

async function runLeaf(leaf: Leaf, values: Values, surroundings: Surroundings): Promise<number> {
  const config = surroundings.loadConfig();
  const asJson = values.flag('json');
  let client: Promise<ApiClient> | undefined;
  const connected = (method: string) => {
    client ??= connect(config, method);
    return client;
  };
  try {
    const answer = await leaf.run({
      ...values,
      config,
      print: (line) => (asJson ? surroundings.error : surroundings.out)(`${line}\n`),
      service: {
        call: async (...request) => await (await connected(request[0])).call(...request),
        ask: async (...request) => await (await connected(request[0])).ask(...request),
      },
    });
    return printAnswer(answer ?? {}, asJson, surroundings);
  } finally {
    // One that could not be opened has nothing to close; the reason is printed already.
    await client?.then(
      ({ close }) => close(),
      () => {},
    );
  }
}

function printAnswer(
  { data = null, text = [], hint, failed, exitCode }: Answer,
  asJson: boolean,
  { out, error, interactive }: Surroundings,
): number {
  if (asJson) out(`${JSON.stringify(data)}\n`);
  else for (const line of [text].flat()) out(`${line}\n`);
  if (failed !== undefined) error(`${failed}\n`);
  else if (hint !== undefined && interactive && !asJson) error(`\n${hint}\n`);
  return exitCode ?? (failed === undefined ? 0 : 1);
}

/** A usage error with the usage of its command. */
const misuse = (sentence: string, usage: readonly string[]): UsageError =>
  new UsageError(`${sentence}\n\n${usage.join('\n')}`);

/** commander's own words: `error: unknown option '--nme'`, and `(Did you mean --name?)` in a line of its own. */
function sentenceOf(message: string): string {
  const [first = '', ...others] = message
    .replace(/^error: /, '')
    .replaceAll(/<([^>]+)>/g, '$1')
    .split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}${first.endsWith('.') ? '' : '.'}`;
  return [sentence, ...others.map((line) => line.replace(/^\((.*)\)$/, '$1'))].join(' ');
}

async function tell(error: unknown, { error: print }: Surroundings): Promise<number> {
  if (error instanceof CommanderError) {
    // Help and version; without a subcommand the help is no success.
    if (error.exitCode === 0) return 0;
    if (error.code !== 'commander.help')
      print(`${sentenceOf(error.message)}\n\nAll commands: ghostlight help\n`);
    return 2;
  }
  const { sentenceFor } = await import('../known-errors.ts');
  const sentence = sentenceFor(error);
  if (sentence === null) throw error;
  print(`${sentence}\n`);
  return error instanceof CommandError ? error.exitCode : 1;
}

const jsonWords = (json: string): string =>
  json.startsWith('{') ? `print JSON: ${json}` : `print the API’s answer as JSON (${json})`;

function descriptionOf(command: Command): string {
  const first = `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`;
  return isGroup(command) || command.about === undefined ? first : `${first} ${command.about}`;
}
