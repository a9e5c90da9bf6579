/** Real directories and real git repositories for tests; each file of tests removes its own. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { run } from '../command.ts';
import type { Files } from './old-repositories.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface Directories {
  make(files: Files): string;
  /** Committed, unless said otherwise. */
  repository(files: Files): string;
}

/** Call once per test file. */
export function temporaryDirectories(): Directories {
  const made: string[] = [];
  afterAll(() => {
    for (const directory of made) rmSync(directory, { recursive: true, force: true });
  });
  const make = (files: Files): string => {
    const directory = mkdtempSync(join(tmpdir(), 'ghostlight-migrate-'));
    made.push(directory);
    writeFiles(directory, files);
    return directory;
  };
  return {
    make,
    repository(files) {
      const directory = make(files);
      git(directory, 'init', '-q', '-b', 'main');
      commit(directory, 'Initial commit');
      return directory;
    },
  };
}

export function writeFiles(directory: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

/** Every file below, links among them; without git's own. */
export function pathsIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((item) => !item.isDirectory())
    .map((item) => join(item.parentPath, item.name).slice(directory.length + 1))
    .filter((path) => !path.startsWith('.git/'))
    .sort();
}

export function read(directory: string, path: string): string {
  return readFileSync(join(directory, path), 'utf8');
}

export function git(directory: string, ...words: string[]): string {
  const identity = [
    '-c',
    'user.name=Test',
    '-c',
    'user.email=test@shop.example',
    '-c',
    'commit.gpgsign=false',
  ];
  return execFileSync('git', [...identity, ...words], { cwd: directory, encoding: 'utf8' });
}

export function commit(directory: string, subject: string): void {
  git(directory, 'add', '--all');
  git(directory, 'commit', '-q', '-m', subject);
}

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command without a terminal as its input; here, since a process for each of a hundred takes half a minute of processor time. */
export async function command(...words: string[]): Promise<Outcome> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const code = await run(words, {
    print: (line) => void stdout.push(`${line}\n`),
    complain: (line) => void stderr.push(`${line}\n`),
    ask: null,
  });
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}

/** The same as a separate process. */
export async function commandProcess(...words: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}
