import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { testSpool } from '../testing.ts';
import { FileSink } from './testing-file-sink.ts';

const ROUNDS = 20;
const CHILD = fileURLToPath(new URL('./testing-child.ts', import.meta.url));

/**
 * Runs the child until it is killed at a random moment, which every second round is counted from the first answer: on a busy machine
 * nothing may be answered soon after the start. @returns what it had acknowledged by then
 */
async function killedRound(directory: string, sink: string, round: number): Promise<string[]> {
  const from = round % 2 === 0 ? 'ready\n' : '\nack ';
  const child: ChildProcess = spawn(process.execPath, [CHILD, directory, sink, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes(from)) resolve();
    });
    child.once('close', () => reject(new Error(`The child ended by itself: ${said}`)));
  });
  await ready;
  const closed = once(child, 'close');
  await sleep(20 + Math.random() * 250);
  child.kill('SIGKILL');
  await closed;
  // What was cut in the pipe was never acknowledged.
  const lines = said.slice(0, said.lastIndexOf('\n')).split('\n');
  return lines.filter((line) => line.startsWith('ack ')).flatMap((line) => line.slice(4).split(' '));
}

it(`loses nothing and doubles nothing over ${ROUNDS} kills`, async () => {
  const place = testSpool();
  const sinkPath = join(place.directory, 'warehouse');
  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    acknowledged.push(...(await killedRound(place.directory, sinkPath, round)));
  }
  const spool = await place.open();
  const sink = new FileSink(sinkPath);
  const shipper = spool.startShipper(sink, { gatherMs: 1, backoffMs: { first: 5, longest: 20 } });
  expect(await shipper.drain(30_000)).toBe(true);
  await shipper.stop();
  const stored = sink.stored();
  const unique = new Set(stored);
  const { counters, pendingRows } = spool.stats();
  await spool.close();
  place.dispose();

  expect(acknowledged.length).toBeGreaterThan(ROUNDS * 10);
  expect(acknowledged.filter((id) => !unique.has(id))).toEqual([]);
  expect(unique.size).toBe(stored.length);
  // An upload is there whole or not at all, whether or not its sender heard of it.
  const uploads = new Map<string, number>();
  for (const id of unique) {
    const upload = /^\d+-u\d+-\d+(?=-)/.exec(String(id))?.[0];
    if (upload !== undefined) uploads.set(upload, (uploads.get(upload) ?? 0) + 1);
  }
  expect([...uploads.values()].filter((rows) => rows !== 700)).toEqual([]);
  expect(pendingRows).toBe(0);
  expect(counters.stored).toBe(stored.length);
  const received = [...counters.received.values()].reduce((a, b) => a + b, 0);
  expect(received).toBe(stored.length);
});
