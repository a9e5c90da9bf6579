/** The ingest key. It comes from the environment or a file, which can change while the command runs. */
import { readFileSync } from 'node:fs';
import { Fault, messageOf } from './faults.ts';

export interface KeySource {
  /** Read each time: a rotated key takes effect without a restart. @throws Fault */
  read(): string;
  /** Where a person puts another one. */
  readonly where: string;
}

const KEY = /^[\x21-\x7e]{8,4096}$/;

/** @param word on the command line @returns null where none is named */
export function keySource(
  word: string | undefined,
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): KeySource | null {
  if (word !== undefined) return { read: () => checked(word, '--key'), where: '--key' };
  const path = file ?? env['GHOSTLIGHT_KEY_FILE'];
  if (path !== undefined && path !== '') return { read: () => checked(readKeyFile(path), path), where: path };
  const key = env['GHOSTLIGHT_KEY'];
  if (key === undefined || key === '') return null;
  return { read: () => checked(key, 'GHOSTLIGHT_KEY'), where: 'GHOSTLIGHT_KEY' };
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new Fault(`The key can't be read: ${messageOf(error)}`);
  }
}

function checked(key: string, where: string): string {
  if (KEY.test(key)) return key;
  throw new Fault(`${where} holds no ingest key: it is one word of letters, digits and signs.`);
}
