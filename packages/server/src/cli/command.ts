/**
 * What a command is: data, of which parsing, help and completion are made (`program.ts`), and what it does. A command is an entry in a file
 * of this folder; `register.ts` lists them.
 */
import type { Config } from '../config.ts';

/** A word that a command takes, by its place. */
export interface Argument {
  /** Its form in the usage: `PROPERTY`. */
  readonly name: string;
  readonly about: string;
  readonly optional?: boolean;
  /** Takes all words that are left; the last argument alone. */
  readonly repeats?: boolean;
  readonly choices?: readonly string[];
}

export interface Option {
  /** Without its dashes. */
  readonly name: string;
  /** The placeholder of its value in the usage; absent: it is a flag. */
  readonly value?: string;
  readonly about: string;
  readonly required?: boolean;
  readonly choices?: readonly string[];
  /** Shown in the help. It is what the service, or the command, takes where the option is absent. */
  readonly default?: string;
  /** Refused unless it is a number. */
  readonly number?: boolean;
  /** May be given several times. */
  readonly repeats?: boolean;
}

export interface Example {
  readonly does: string;
  /** As it is typed, `ghostlight` first. */
  readonly command: string;
}

export interface ApiClient {
  /** The parsed answer. @throws CommandError with the service's own sentence when it refuses */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** The parsed answer, whatever its status. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  close(): Promise<void>;
}

export interface CommandContext {
  /** @returns the empty string for an optional one that is absent */
  argument(name: string): string;
  /** All words of an argument that repeats. */
  arguments(name: string): readonly string[];
  /** The value of an option; of one that repeats, all of them joined by commas. */
  option(name: string): string | undefined;
  number(name: string): number | undefined;
  flag(name: string): boolean;
  readonly config: Config;
  /** The running service, or its application opened in this process; connected at the first call, closed after the command. */
  readonly service: Pick<ApiClient, 'call' | 'ask'>;
  /** A line while the command works. With `--json` it goes to standard error. */
  print(line: string): void;
}

/** What a command tells at its end. */
export interface Answer {
  /** Printed with `--json`. */
  readonly data?: unknown;
  /** Printed without. */
  readonly text?: string | readonly string[];
  /** What to do next, for a person at a terminal alone. */
  readonly hint?: string;
  /** Why the command failed, after what it has printed. */
  readonly failed?: string;
  /** Default: 1 where it has failed, else 0. */
  readonly exitCode?: number;
}

export interface Leaf {
  readonly name: string;
  /** One line, as an order: "list the properties". */
  readonly summary: string;
  /** What the summary leaves open. */
  readonly about?: string;
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  readonly examples: readonly Example[];
  /** What `--json` prints: a call of the API, whose answer it is, or the members. Absent: the command has no `--json`. */
  readonly json?: string;
  run(context: CommandContext): Promise<Answer | undefined>;
}

export interface Group {
  readonly name: string;
  readonly summary: string;
  readonly subcommands: readonly Command[];
  /** The subcommand that runs where none is named. */
  readonly default?: string;
}

export type Command = Leaf | Group;

export const isGroup = (command: Command): command is Group => 'subcommands' in command;

/** A failure that is printed as one sentence, without a stack. */
export class CommandError extends Error {
  readonly exitCode: number;
  constructor(sentence: string, exitCode = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

/** The command was called in a wrong way: its usage is shown below the sentence. */
export class UsageError extends CommandError {
  constructor(sentence: string) {
    super(sentence, 2);
  }
}

/** The first word of nearly every command. */
export const PROPERTY: Argument = {
  name: 'PROPERTY',
  about: 'attribution ID of the property; "ghostlight properties list" shows them',
};
