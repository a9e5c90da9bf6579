/** Ports for who must know one before it is listened at: programs that are given theirs, and servers that go away and come back. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Above, systems take ports for outgoing connections: one of those could be gone again before its program has started. */
const FIRST = 10_000;
const BEYOND = 32_000;

/** What was given out: who has one may not listen yet. */
const given = new Set<number>();

/** A port of 127.0.0.1 that nothing has now; no other call of this process gets it. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, BEYOND);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  await new Promise((resolve) => probe.close(resolve));
  return true;
}
