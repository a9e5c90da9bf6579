/**
 * What the machine says at a start, as a sentence for the person who starts it: which setting, which path, what to do. Whatever is not known
 * here is a fault of ours and is shown with its stack.
 */
import { sqliteCode } from './sqlite-code.ts';

/** A failed start, explained in one sentence. */
export class StartError extends Error {
  constructor(sentence: string, options: { cause?: unknown } = {}) {
    super(sentence, options);
    this.name = 'StartError';
  }
}

const FILES = 'Allow more with `ulimit -n 65536`, or LimitNOFILE= of the systemd unit.';

/** By the system's word. `path` is '' when the system named none. */
const SYSTEM: Readonly<Record<string, (path: string) => string>> = {
  EROFS: (path) =>
    `${at(path)} is on a file system that is mounted read-only. Mount it writable, or set another DATA_DIR.`,
  ENOSPC: (path) => `The disk is full${of(path)}. Make room, then start again.`,
  EDQUOT: (path) => `The disk quota is used up${of(path)}. Make room, then start again.`,
  EACCES: (path) =>
    `This user may not use ${at(path)}. Give it to the user that runs Ghostlight (chown), or set another DATA_DIR.`,
  EPERM: (path) =>
    `This user may not change ${at(path)}. Give it to the user that runs Ghostlight (chown), or set another DATA_DIR.`,
  ENOTDIR: (path) => `A part of the path ${at(path)} is a file, not a folder. Set another DATA_DIR.`,
  EEXIST: (path) => `${at(path)} is a file, not a folder. Set another DATA_DIR.`,
  EISDIR: (path) => `${at(path)} is a folder where a file is expected. Move it away, then start again.`,
  ENAMETOOLONG: (path) => `The path ${at(path)} is too long. Set a shorter DATA_DIR.`,
  EIO: (path) =>
    `The disk can't be read or written${of(path)}. It may be full; else look at the kernel's log.`,
  EMFILE: () => `This process may not open any more files. ${FILES}`,
  ENFILE: () => 'This machine has no more open files to give. Raise fs.file-max, or end other programs.',
  ENOMEM: () => 'This machine has no memory left for the service.',
};

/** By SQLite's primary result code, which is the low byte. */
const SQLITE: Readonly<Record<number, string>> = {
  3: 'EACCES',
  7: 'ENOMEM',
  8: 'EROFS',
  10: 'EIO',
  13: 'ENOSPC',
};
const SQLITE_CANTOPEN = 14;
const SQLITE_DAMAGED = new Set([11, 26]);

const at = (path: string) => (path === '' ? 'the data directory' : path);
const of = (path: string) => (path === '' ? '' : ` (${path})`);

/** @param path of the file that was at work, where the error itself names none */
export function startSentence(error: unknown, path = ''): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof StartError) return cause.message;
    const found = cause as { code?: unknown; path?: unknown; dest?: unknown };
    const named = path !== '' ? path : typeof found.path === 'string' ? found.path : '';
    if (found.code === 'ERR_SQLITE_ERROR') {
      const primary = sqliteCode(cause);
      if (SQLITE_DAMAGED.has(primary))
        return `${named === '' ? 'A database file' : named} is damaged. Restore the data directory from a backup; if there is none, keep a copy and start with another DATA_DIR.`;
      if (primary === SQLITE_CANTOPEN)
        return `${named === '' ? 'A database file' : named} can't be opened. Check the rights of the data directory, and how many files this process may open (\`ulimit -n\`).`;
      const word = SQLITE[primary];
      if (word !== undefined) return SYSTEM[word]?.(named) ?? null;
    }
    if (typeof found.code === 'string' && found.code in SYSTEM) return SYSTEM[found.code]?.(named) ?? null;
  }
  return null;
}
