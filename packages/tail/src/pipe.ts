/**
 * Lines that come by standard input, as a piped log of Apache: nothing can be read twice, and the server stands still when the pipe is full. So the
 * pipe is read whatever the service does, and of what can't be sent the oldest is left out and counted.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Ended, endOf } from './ended.ts';
import { LineCutter } from './lines.ts';
import { chooseParser } from './parsers.ts';
import { makeParts } from './parts.ts';
import { Stopped } from './sender.ts';
import type { Settings } from './settings.ts';
import type { Surroundings } from './surroundings.ts';
import type { Visit } from './visit.ts';

/** Visits that wait; some 500 bytes each. */
const MAX_WAITING = 20_000;
const FLUSH_MS = 2_000;
const SAMPLE_BYTES = 64 * 1024;

export async function followPipe(settings: Settings, around: Surroundings): Promise<Ended> {
  const { stdin, stop, now } = around;
  if (stdin.isTTY === true) around.error('Reading lines from the terminal. Name a file to follow one.\n');
  const parts = makeParts(
    settings,
    { source: 'tail', stateFile: null, counts: [], isPatient: true, patienceMs: Number.POSITIVE_INFINITY },
    around,
  );
  const { sieve, shipper, lists, counters, others } = parts;
  const queue: Visit[] = [];
  const cutter = new LineCutter();
  let chosen: ReturnType<typeof chooseParser> = null;
  /** Until a format is known. */
  let sample = Buffer.alloc(0);
  let hasEnded = false;
  let isTold = false;

  const onLine = (line: Buffer | null): void => {
    if (chosen === null || chosen === 'unknown') return;
    const visit = sieve.read(line, chosen.parser, 'standard input');
    if (visit === null) return;
    if (settings.dryRun) {
      settings.print(visit);
      return;
    }
    queue.push(visit);
    if (queue.length <= MAX_WAITING) return;
    queue.shift();
    counters.lost += 1;
    if (!isTold)
      around.error('The service is down for too long: the oldest visits are left out from now on.\n');
    isTold = true;
  };
  const choose = (isLast: boolean): void => {
    chosen = chooseParser(settings, sample, null);
    if (chosen === null && !isLast && sample.length < SAMPLE_BYTES) return;
    if (chosen === null || chosen === 'unknown') {
      around.error('The lines are in no format that is known. State it: --format NAME\n');
      chosen = 'unknown';
    } else {
      around.error(`standard input: ${chosen.told}\n`);
      cutter.push(sample, onLine);
    }
    sample = Buffer.alloc(0);
  };
  stdin.on('data', (chunk: Buffer) => {
    if (chosen !== null) {
      cutter.push(chunk, onLine);
      return;
    }
    sample = Buffer.concat([sample, chunk]);
    choose(false);
  });
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', () => {
      if (chosen === null) choose(true);
      cutter.end(onLine);
      hasEnded = true;
      resolve();
    });
    stdin.once('error', () => {
      hasEnded = true;
      resolve();
    });
  });

  try {
    for (;;) {
      void lists.refresh(now());
      await Promise.race([
        ended,
        pause(FLUSH_MS, undefined, { ref: true, signal: stop }).catch(() => undefined),
      ]);
      if (hasEnded || stop.aborted) others.end();
      else others.pass(now());
      while (queue.length > 0) {
        while (queue.length > 0 && !shipper.isFull) shipper.add(queue.shift() as Visit);
        await shipper.ship([]);
      }
      await shipper.ship([]);
      if (hasEnded || stop.aborted) break;
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    counters.lost += queue.length + shipper.waiting;
  }
  stdin.destroy();
  const { figures } = endOf(counters, settings, around);
  return { exitCode: (chosen as unknown) === 'unknown' ? 1 : 0, figures };
}
