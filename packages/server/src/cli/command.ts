/** What a command is. `main.ts` holds the table of all of them. */
import type { Config } from '../config.ts';

export interface CommandContext {
  /** Words after the command's name. */
  readonly words: readonly string[];
  /** `--name value` pairs; a flag without a value is the empty string, a repeated name has its values joined by commas. */
  readonly options: ReadonlyMap<string, string>;
  readonly config: Config;
  /** Prints a line for the person at the terminal. */
  print(line: string): void;
}

export interface Command {
  readonly name: string;
  /** What follows the name in the usage line. */
  readonly usage: string;
  readonly summary: string;
  /** Options that never take the next word for their value. */
  readonly flags?: readonly string[];
  run(context: CommandContext): Promise<void>;
}
