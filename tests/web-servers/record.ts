/** Sends the odd requests to a server, one after the other, and keeps what it logged of each. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { REQUESTS } from './requests.ts';
import type { WebServer } from './servers.ts';

export interface Recorded {
  readonly name: string;
  /** What the client was answered; null: nothing. */
  readonly status: number | null;
  /** Format → lines, one character a byte. */
  readonly lines: Readonly<Record<string, readonly string[]>>;
}

/** A server that logs nothing of a request within this time has nothing to say of it. */
const SILENCE_MS = 1_000;
const QUIET_MS = 60;

export async function record(server: WebServer): Promise<Recorded[]> {
  const all: Recorded[] = [];
  const read = readersOf(server.logs);
  // What starting it has left there.
  await settled(read);
  for (const { name, bytes, v6 } of REQUESTS) {
    const status = await send(
      v6 === true ? '::1' : '127.0.0.1',
      v6 === true ? server.port6 : server.port,
      bytes,
    );
    all.push({ name, status, lines: await settled(read) });
  }
  return all;
}

function send(host: string, port: number, bytes: string): Promise<number | null> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    let answer = '';
    const done = (): void => {
      socket.destroy();
      const status = /^HTTP\/\d(?:\.\d)? (\d{3})/.exec(answer)?.[1];
      resolve(status === undefined ? null : Number(status));
    };
    socket.setTimeout(SILENCE_MS, done);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('close', done).on('error', done);
    socket.write(Buffer.from(bytes, 'latin1'));
  });
}

export type Read = () => Record<string, string[]>;

/** What each log has grown by since the last call. */
export function readersOf(logs: Readonly<Record<string, string>>): Read {
  const at = new Map<string, number>();
  return () =>
    Object.fromEntries(
      Object.entries(logs).map(([format, path]) => {
        const from = at.get(path) ?? 0;
        const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
        const bytes = Buffer.alloc(size - from);
        if (bytes.length > 0) {
          const file = openSync(path, 'r');
          readSync(file, bytes, 0, bytes.length, from);
          closeSync(file);
        }
        at.set(path, size);
        return [format, bytes.toString('latin1').split('\n').filter(Boolean)];
      }),
    );
}

/** Waits until all logs have a line, and no further one comes. */
export async function settled(read: Read): Promise<Record<string, string[]>> {
  const lines: Record<string, string[]> = {};
  const until = performance.now() + SILENCE_MS;
  let last = performance.now();
  for (;;) {
    for (const [format, more] of Object.entries(read())) {
      lines[format] ??= [];
      lines[format].push(...more);
      if (more.length > 0) last = performance.now();
    }
    const isComplete = Object.values(lines).every(({ length }) => length > 0);
    if (isComplete && performance.now() - last > QUIET_MS) return lines;
    if (performance.now() > until) return lines;
    await sleep(10);
  }
}
