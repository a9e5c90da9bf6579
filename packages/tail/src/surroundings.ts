/** What a command needs of the process around it; tests hand in their own. */
import type { Readable } from 'node:stream';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Standard output. */
  out(text: string): void;
  /** Standard error: messages for the operator while the command works. */
  error(text: string): void;
  /** Aborted by SIGTERM and SIGINT. */
  readonly stop: AbortSignal;
  readonly now: () => number;
  readonly sleep: (ms: number, stop: AbortSignal) => Promise<void>;
  readonly random: () => number;
  /** Asks the operator; null: there is no terminal. */
  readonly ask: ((question: string) => Promise<boolean>) | null;
  /** Whether standard error is a terminal, where a line can be written over. */
  readonly isTerminal: boolean;
}
