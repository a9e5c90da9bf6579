/** The words of a command line, in the order in which commander reads them: which command first, then its options and arguments. */
import { type Command, isGroup } from './command.ts';

/**
 * - Options may stand before the command and its subcommand.
 * - `help keys issue` is `keys issue --help`.
 * - A group that is called alone, or with a path, stands for its default subcommand.
 */
export function inOrder(argv: readonly string[], commands: readonly Command[]): string[] {
  const path: string[] = [];
  const rest: string[] = [];
  let among = commands;
  let byDefault: string | undefined;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word.startsWith('-') && word !== '--') {
      rest.push(word);
      const value = argv[index + 1];
      if (value !== undefined && takesValue(word, among)) {
        rest.push(value);
        index += 1;
      }
      continue;
    }
    const found = among.find(({ name }) => name === word);
    if (found === undefined && word === 'help')
      return asksForHelp([...path, ...argv.slice(index + 1)], commands);
    // A path is no misspelt subcommand: `backup /var/backups/`.
    if (found === undefined && byDefault !== undefined && word.includes('/'))
      return [...path, byDefault, ...rest, ...argv.slice(index)];
    // Not `dance --help`: what is unknown has no help.
    if (found === undefined) return [...path, ...argv.slice(index).filter((other) => !isHelp(other))];
    path.push(word);
    among = isGroup(found) ? found.subcommands : [];
    byDefault = isGroup(found) ? found.default : undefined;
    if (!isGroup(found)) return [...path, ...rest, ...argv.slice(index + 1)];
  }
  const runsDefault = byDefault !== undefined && !rest.some(isHelp);
  return [...path, ...(runsDefault ? [byDefault ?? ''] : []), ...rest];
}

function asksForHelp(names: readonly string[], commands: readonly Command[]): string[] {
  let among = commands;
  for (const name of names) {
    const found = among.find((command) => command.name === name);
    if (found === undefined) return [...names];
    among = isGroup(found) ? found.subcommands : [];
  }
  return [...names, '--help'];
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h';

/** Whether the word after an option is its value, in any command that may still follow. */
function takesValue(word: string, commands: readonly Command[]): boolean {
  return commands.some((command) =>
    isGroup(command)
      ? takesValue(word, command.subcommands)
      : (command.options ?? []).some(({ name, value }) => value !== undefined && word === `--${name}`),
  );
}
