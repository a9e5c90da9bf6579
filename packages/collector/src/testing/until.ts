/** Waiting in tests: always for something, never for a length of time, and never for ever. */
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;
const LIMIT_MS = 15_000;

/** @throws when `found` is still undefined or false after 15 s, with `what` in the message */
export async function until<T>(what: string, found: () => T | undefined | false): Promise<T> {
  for (const start = performance.now(); performance.now() - start < LIMIT_MS; ) {
    const value = found();
    if (value !== undefined && value !== false) return value;
    await sleep(POLL_MS);
  }
  throw new Error(`waited ${LIMIT_MS / 1000} s in vain: ${what}`);
}
