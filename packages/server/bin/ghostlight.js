#!/usr/bin/env node
/**
 * The launcher. Plain JavaScript that any Node from 20 on understands: it hands over to the Node that the lockfile pins and sets what
 * must be set before the first line runs.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The build where there is one (docs/decisions/0015-built-service.md): `npm start`, `npm run demo` and `npm test` bring it up to date.
const built = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const main = existsSync(built) ? built : fileURLToPath(new URL('../src/main.ts', import.meta.url));
const arguments_ = ['--disable-warning=ExperimentalWarning', main, ...process.argv.slice(2)];
// zlib, fs and the warehouse share libuv's pool; at its default of four threads one busy report would stall every upload.
// What Node has once compiled it keeps: half of a command's time is that. Not in a temporary directory, where other users could put
// code in its place.
const compiled = compileCache();
// npm killed outright tells nothing to what it started: the service watches the process that must outlive it, and stops after it.
const startedByNpm = process.env.npm_lifecycle_event !== undefined;
const parent = process.ppid;
const node = pinnedNode() ?? process.execPath;

if (typeof process.execve === 'function')
  process.execve(node, [node, ...arguments_], environment(startedByNpm ? parent : null));
const child = spawn(node, arguments_, { stdio: 'inherit', env: environment(process.pid) });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
if (startedByNpm) {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
}

/** @param watched the parent's process id; null: the service may outlive its parent */
function environment(watched) {
  const { GHOSTLIGHT_PARENT_PID: _, ...inherited } = process.env;
  return {
    ...inherited,
    UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? '16',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? compiled,
    ...(watched === null ? {} : { GHOSTLIGHT_PARENT_PID: String(watched) }),
  };
}

/** Beside the dependencies of the repository; for the npm package, in the caches of the one who runs it. */
function compileCache() {
  const beside = fileURLToPath(new URL('../../../node_modules', import.meta.url));
  if (existsSync(beside)) return join(beside, '.cache/ghostlight');
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ghostlight');
}

/** The Node binary of this platform's npm package, or undefined where there is none (then the caller's own must do). */
function pinnedNode() {
  const names = [`node-${process.platform}-${process.arch}`, `node-bin-${process.platform}-${process.arch}`];
  for (const name of names) {
    try {
      const file = fileURLToPath(
        new URL('bin/node', `file://${createRequire(import.meta.url).resolve(`${name}/package.json`)}`),
      );
      if (existsSync(file)) return file;
    } catch {
      // Not installed for this platform.
    }
  }
  return undefined;
}
