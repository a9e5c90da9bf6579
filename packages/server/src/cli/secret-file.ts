/** Secrets that a command makes or takes: into a file of one's own or from standard input, so that neither screen nor shell history has them. */
import { open, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Answer, type CommandContext, CommandError, type Option, UsageError } from './command.ts';

export const KEY_FILE: Option = {
  name: 'key-file',
  value: 'FILE',
  about: 'write the secret into this new file, readable only by you, instead of printing it',
};

/** No secret is longer. */
const MAX_SECRET = 4_096;

interface Made {
  /** The answer of the API. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The member of it that is the secret. */
  readonly secret: string;
  /** Printed before it. */
  readonly before?: string;
  /** What it is for, where the usual sentence is not enough. */
  readonly advice?: string;
}

/**
 * Makes a secret, and prints it or writes it into `--key-file`.
 * @throws CommandError where the file can't be made: then nothing was made at all
 */
export async function keepOrShow({ option }: CommandContext, make: () => Promise<Made>): Promise<Answer> {
  const file = option('key-file');
  if (file === undefined) {
    const { data, secret, before, advice = 'Store it now: it is not shown again.' } = await make();
    return { data, text: [...(before === undefined ? [] : [before]), String(data[secret]), advice] };
  }
  const handle = await open(file, 'wx', 0o600).catch((error: { code?: string }) => {
    const why =
      error.code === 'EEXIST' ? 'exists already; choose another name' : `can’t be made (${error.code})`;
    throw new CommandError(`${file} ${why}.`);
  });
  try {
    const { data, secret, before } = await make();
    await handle.writeFile(`${String(data[secret])}\n`);
    const { [secret]: _, ...shown } = data;
    return {
      data: { ...shown, key_file: file },
      text: [...(before === undefined ? [] : [before]), `The secret is in ${file}.`],
    };
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** A word that may hold a secret: `-` stands for what standard input has. @throws UsageError where that is nothing */
export async function secretWord(word: string): Promise<string> {
  if (word !== '-') return word;
  const given = (await text(process.stdin)).trim();
  if (given === '' || given.length > MAX_SECRET) throw new UsageError('Standard input has no such value.');
  return given;
}
