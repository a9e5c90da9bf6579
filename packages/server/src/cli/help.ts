/** How help is written: the usage as the documentation writes it, examples, and what every command has in common. */
import { styleText } from 'node:util';
import type { Command as Commander } from 'commander';
import { type Argument, type Command, isGroup, type Option } from './command.ts';

/** The words after a command's name in its usage line. */
export function usageWords(command: Command): string {
  if (isGroup(command)) return command.default === undefined ? 'COMMAND' : '[COMMAND]';
  const { arguments: words = [], options = [], json } = command;
  const required = options.filter((option) => option.required === true);
  const hasOthers = options.length > required.length || json !== undefined;
  return [
    ...words.map(argumentWords),
    ...required.map(optionWords),
    ...(hasOthers ? ['[options]'] : []),
  ].join(' ');
}

/** @param path the names of the command and of its group */
export function usageLine(path: readonly string[], command: Command): string {
  return ['ghostlight', ...path, usageWords(command)].filter(Boolean).join(' ');
}

function argumentWords({ name, optional, repeats }: Argument): string {
  const words = repeats === true ? `${name}…` : name;
  return optional === true ? `[${words}]` : words;
}

export const optionWords = ({ name, value }: Option): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`;

/** What an option or argument is, and what it takes. */
export function describe({ about, ...rest }: Argument | Option): string {
  const { choices, default: standard, required, repeats } = rest as Partial<Option>;
  const notes = [
    ...(required === true ? ['required'] : []),
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(standard === undefined ? [] : [`default: ${standard}`]),
    ...(repeats === true && 'value' in rest ? ['may be repeated'] : []),
  ];
  return notes.length === 0 ? about : `${about} (${notes.join('; ')})`;
}

/** @param path empty for the program itself */
export function writeHelp(made: Commander, path: readonly string[], command: Command | null): void {
  made.configureHelp({
    commandUsage: () => (command === null ? 'ghostlight COMMAND [options]' : usageLine(path, command)),
    subcommandTerm: (sub) => sub.usage(),
    optionTerm: ({ flags }) => flags.replaceAll(/[<>]/g, ''),
    // commander takes the colours away where the output has none, or NO_COLOR is set.
    styleTitle: (text) => styleText('bold', text, { validateStream: false }),
  });
  if (command === null) made.addHelpText('after', ROOT_NOTES);
  else if (isGroup(command)) {
    const standing = command.default === undefined ? '' : `Without a command it is "${command.default}". `;
    made.addHelpText('after', `\n${standing}Options and examples: ghostlight help ${path.join(' ')} COMMAND`);
  } else {
    const examples = command.examples.map(({ does, command: words }) => `  # ${does}\n  ${words}`);
    made.addHelpText(
      'after',
      `\n${styleText('bold', 'Examples:', { validateStream: false })}\n${examples.join('\n')}`,
    );
  }
}

const ROOT_NOTES = `
Options and examples of a command: ghostlight help COMMAND
Exit codes: 0 done, 1 failed, 2 wrong usage.
Settings are environment variables; docs/configuration.md lists them.`;
