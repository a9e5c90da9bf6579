/** The command line without a service: what was printed, and with what the commands would have been run. */
import { tmpdir } from 'node:os';
import { readConfig } from '../config.ts';
import { type Command, type CommandContext, isGroup, type Leaf } from './command.ts';
import { runCommandLine, type Section } from './program.ts';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runWords(
  commands: readonly Command[],
  words: readonly string[],
  { interactive = false } = {},
): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  const code = await runCommandLine([{ title: 'Commands:', commands }], words, {
    version: '1.2.3',
    out: (text) => {
      stdout += text;
    },
    error: (text) => {
      stderr += text;
    },
    interactive,
    loadConfig: () => readConfig({}, tmpdir()),
  });
  return { code, stdout, stderr };
}

export interface Call {
  /** `keys issue`. */
  readonly command: string;
  /** Arguments by name, and options by `--name`; a flag is true. */
  readonly given: Readonly<Record<string, string | true>>;
}

/** What a command line asks for, without doing it. */
export async function parseWords(
  sections: readonly Section[],
  words: readonly string[],
): Promise<{ readonly call: Call | null } & Outcome> {
  let call: Call | null = null;
  const recording = (command: Command, above: string): Command => {
    const path = `${above}${command.name}`;
    if (isGroup(command))
      return { ...command, subcommands: command.subcommands.map((sub) => recording(sub, `${path} `)) };
    return {
      ...command,
      async run(context) {
        call = { command: path, given: givenTo(command, context) };
        return undefined;
      },
    };
  };
  const commands = sections.flatMap((section) => section.commands).map((command) => recording(command, ''));
  const outcome = await runWords(commands, words);
  return { call, ...outcome };
}

function givenTo(leaf: Leaf, { argument, arguments: all, option, flag }: CommandContext): Call['given'] {
  const words = (leaf.arguments ?? []).map(({ name, repeats }) => [
    name,
    repeats === true ? all(name).join(' ') : argument(name),
  ]);
  const options = (leaf.options ?? []).map(({ name, value }) => [
    `--${name}`,
    value === undefined ? flag(name) || '' : (option(name) ?? ''),
  ]);
  return Object.fromEntries(
    [...words, ...options, ['--json', flag('json') || '']].filter(([, it]) => it !== ''),
  );
}

/** Every command that runs, with its words: `keys issue`. */
export function leaves(
  commands: readonly Command[],
  above: readonly string[] = [],
): { path: string[]; leaf: Leaf }[] {
  return commands.flatMap((command) => {
    const path = [...above, command.name];
    return isGroup(command) ? leaves(command.subcommands, path) : [{ path, leaf: command }];
  });
}
