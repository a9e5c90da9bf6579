import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { StartError, startSentence } from './index.ts';

const system = (code: string, path?: string) => Object.assign(new Error(code), { code, path });
const sqlite = (errcode: number) => Object.assign(new Error('no'), { code: 'ERR_SQLITE_ERROR', errcode });

it.each([
  [system('EROFS', '/data'), /^\/data is on a file system that is mounted read-only\./],
  [system('ENOSPC', '/data/x'), /^The disk is full \(\/data\/x\)\./],
  [system('EACCES', '/data'), /^This user may not use \/data\..*chown/],
  [system('EMFILE'), /^This process may not open any more files\. .*ulimit -n/],
  [sqlite(13), /^The disk is full/],
  [sqlite(8 | (1 << 8)), /read-only/],
  [sqlite(26), /^A database file is damaged\. Restore/],
  [sqlite(14), /^A database file can't be opened\..*ulimit/],
])('%s is a sentence that says what to do', (error, sentence) => {
  expect(startSentence(error)).toMatch(sentence);
  expect(startSentence(new Error('outer', { cause: error }))).toMatch(sentence);
});

it('names the file where the error does not', () => {
  expect(startSentence(sqlite(11), '/data/state.sqlite')).toMatch(/^\/data\/state\.sqlite is damaged\./);
  expect(startSentence(new StartError('A known reason.'), '/data')).toBe('A known reason.');
});

it('leaves faults of ours as they are', () => {
  expect(startSentence(new TypeError('x is not a function'))).toBeNull();
  expect(startSentence('text')).toBeNull();
  const database = new DatabaseSync(':memory:');
  const wrong = (() => {
    try {
      return database.exec('SELEC 1');
    } catch (error) {
      return error;
    } finally {
      database.close();
    }
  })();
  expect(startSentence(wrong)).toBeNull();
});
