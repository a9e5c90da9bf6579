/** Runs a program and waits for its end. */
import { spawn } from 'node:child_process';
import type { Executed } from './engine.ts';

interface Options {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Shows its output while it runs. */
  readonly shown?: boolean;
}

export async function run(
  program: string,
  words: readonly string[],
  options: Options = {},
): Promise<Executed> {
  const { env = process.env, cwd, shown = false } = options;
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(cwd && { cwd }) });
  const outputs = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      outputs[name] += text;
      if (shown) process.stderr.write(text);
    });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve(status ?? (signal === null ? 1 : 128)));
  });
  return { code, ...outputs };
}

/** @returns its standard output @throws with its standard error */
export async function must(
  program: string,
  words: readonly string[],
  options: Options = {},
): Promise<string> {
  const { code, stdout, stderr } = await run(program, words, options);
  if (code !== 0)
    throw new Error(`${program} ${words.join(' ')} ended with ${code}:\n${stderr.slice(-4_000)}`);
  return stdout;
}
