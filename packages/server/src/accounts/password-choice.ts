/** Refuses passwords that are guessed first: common ones, keyboard rows, repetitions, and one's own name or address. */
import { ServiceError } from '../common/index.ts';

/** Fewer guesses than a million: score 0 or 1 of zxcvbn's 4. Stricter rules drive people to worse habits (NIST SP 800-63B §3.1.1.2). */
const ENOUGH_SCORE = 2;
/** The estimate's time grows with the square of the length (0.1 s at 128 characters); nothing behind these makes a password weaker. */
const LOOKED_AT = 64;

type Estimate = (password: string, words: string[]) => number;

let loaded: Promise<Estimate> | undefined;

/** 30 MB and 0.1 s: not before a password is chosen. */
async function load(): Promise<Estimate> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs: graphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const zxcvbn = new ZxcvbnFactory({ dictionary, graphs });
  return (password, words) => zxcvbn.check(password, words).score;
}

/**
 * @param words that a guesser tries first: the person's name and address
 * @param pointer the member of the body that holds the password
 * @throws ServiceError `invalid`
 */
export async function assertUncommon(
  password: string,
  words: readonly string[],
  pointer: string,
): Promise<void> {
  loaded ??= load();
  const estimate = await loaded;
  const known = [
    ...words.flatMap((word) => [word, word.replaceAll(/\s/g, ''), ...word.split(/[\s@.]+/)]),
    'ghostlight',
  ];
  if (estimate(password.slice(0, LOOKED_AT), known) >= ENOUGH_SCORE) return;
  throw new ServiceError('invalid', 'Choose another password.', {
    errors: [
      {
        pointer,
        message: 'This password is easy to guess. Use a few unrelated words, or a password manager.',
      },
    ],
  });
}
