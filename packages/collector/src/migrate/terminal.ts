import { createInterface } from 'node:readline/promises';

/** The person at the other end of a command. */
export interface Terminal {
  print(line: string): void;
  /** For what went wrong: stderr. */
  complain(line: string): void;
  /** Null without a terminal (a pipe, CI). Empty when the input ends instead. */
  readonly ask: ((question: string) => Promise<string>) | null;
}

export function processTerminal({ stdin, stdout, stderr }: NodeJS.Process): Terminal {
  return {
    print: (line) => void stdout.write(`${line}\n`),
    complain: (line) => void stderr.write(`${line}\n`),
    ask: stdin.isTTY && stdout.isTTY ? (question) => askOnce(question, stdin, stdout) : null,
  };
}

async function askOnce(question: string, input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
  const lines = createInterface({ input, output });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    // Ctrl+D closes the input without an answer, and `question` would wait for ever.
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}
