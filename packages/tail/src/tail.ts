/** `ghostlight tail`: reads what is new, sends what matters, keeps the position. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { contentOf, HEAD_BYTES, readContentHead } from './archives.ts';
import { type Ended, endOf, figuresOf } from './ended.ts';
import { Fault, Misuse } from './faults.ts';
import { Follower, type Rest } from './follower.ts';
import { LineCutter } from './lines.ts';
import type { Values } from './options.ts';
import { type Chosen, chooseParser } from './parsers.ts';
import { makeParts, type Parts } from './parts.ts';
import { followPipe } from './pipe.ts';
import { Stopped } from './sender.ts';
import { type Settings, settingsOf } from './settings.ts';
import { EMPTY_STATE, StateFile } from './state.ts';
import type { Surroundings } from './surroundings.ts';

const LOOK_MS = 250;
const SCAN_MS = 1_000;
/** A visit waits no longer for others of its batch. */
const FLUSH_MS = 2_000;
/** How long `--once` waits for a service that is down. */
const ONCE_PATIENCE_MS = 5 * 60_000;

/** @throws Fault, Misuse */
export async function runTail(values: Values, around: Surroundings): Promise<Ended> {
  const settings = settingsOf('tail', values, around);
  const from = values.option('from') ?? (values.flag('once') || settings.dryRun ? 'start' : 'end');
  if (from !== 'start' && from !== 'end') throw new Misuse(`--from is start or end, not "${from}".`);
  if (values.option('key') !== undefined)
    around.error(
      'Other users of this machine can see the key. GHOSTLIGHT_KEY and --key-file keep it to yourself.\n',
    );
  if (settings.files.length === 0) return await followPipe(settings, around);

  const endsAtEnd = values.flag('once') || settings.dryRun;
  const stateFile = settings.dryRun ? null : new StateFile(settings.statePath);
  const state = stateFile?.open() ?? EMPTY_STATE;
  const patience = {
    isPatient: !endsAtEnd,
    patienceMs: endsAtEnd ? ONCE_PATIENCE_MS : Number.POSITIVE_INFINITY,
  };
  const { counts, open } = state.pending?.then ?? state;
  const parts = makeParts(settings, { source: 'tail', stateFile, counts, open, ...patience }, around);
  try {
    const resumed = await parts.shipper.resume(state);
    const { positions } = resumed ?? state;
    const follower = new Follower({
      patterns: settings.files,
      positions,
      from,
      parsers: settings,
      onLine: (line, chosen, file) => take(parts, line, chosen, file, settings),
      say: (sentence) => around.error(`${sentence}\n`),
      now: around.now,
    });
    try {
      await follow(parts, follower, settings, endsAtEnd, around);
    } finally {
      follower.close();
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    around.error('Ended before the last batch was taken; it is sent after the next start.\n');
  } finally {
    stateFile?.close();
  }
  // One that follows files reports while it runs.
  return endsAtEnd
    ? endOf(parts.counters, settings, around)
    : { exitCode: 0, figures: figuresOf(parts.counters, true) };
}

function take(
  { sieve, shipper }: Parts,
  line: Buffer | null,
  { parser }: Chosen,
  file: string,
  { dryRun, print }: Settings,
): void {
  const visit = sieve.read(line, parser, file);
  if (visit === null) return;
  if (dryRun) print(visit);
  else shipper.add(visit);
}

async function follow(
  parts: Parts,
  follower: Follower,
  settings: Settings,
  endsAtEnd: boolean,
  around: Surroundings,
): Promise<void> {
  const { shipper, lists, others } = parts;
  const { stop, now, sleep } = around;
  let scanned = Number.NEGATIVE_INFINITY;
  let shipped = now();
  const ship = async (): Promise<void> => {
    await shipper.ship(follower.positions());
    shipped = now();
  };
  while (!stop.aborted) {
    if (now() - scanned >= SCAN_MS) {
      await follower.scan();
      void lists.refresh(now());
      scanned = now();
    }
    const rest = follower.takeRest();
    if (rest !== null) await readRest(rest, follower, parts, settings, around);
    const bytes = follower.pump();
    if (bytes === 0 && rest === null) others.pass(now());
    if (shipper.isFull || now() - shipped >= FLUSH_MS) await ship();
    if (bytes > 0 || rest !== null) await nextTurn();
    else if (endsAtEnd) break;
    else await sleep(LOOK_MS, stop);
  }
  await ship();
}

/** A file that will not grow: rotated while the command did not run, or compressed. */
async function readRest(
  { path, position }: Rest,
  follower: Follower,
  parts: Parts,
  settings: Settings,
  around: Surroundings,
): Promise<void> {
  const { stop } = around;
  const chosen = chooseParser(settings, await readContentHead(path, 64 * HEAD_BYTES), position.columns);
  if (chosen === null || chosen === 'unknown') {
    if (chosen === 'unknown') around.error(`${path} has an unknown format. State it: --format NAME\n`);
    follower.restRead({ ...position, done: true });
    return;
  }
  around.error(`${path}: ${chosen.told}, from byte ${position.offset}\n`);
  const file = position.inode === 0 ? path : String(position.inode);
  const cutter = new LineCutter();
  let read = position.offset;
  const onLine = (line: Buffer | null): void => take(parts, line, chosen, file, settings);
  const reached = (done: boolean) => ({
    ...position,
    offset: read - cutter.waiting,
    columns: chosen.parser.columns(),
    ...(done ? { done } : {}),
  });
  try {
    for await (const chunk of contentOf(path, position.offset)) {
      cutter.push(chunk, onLine);
      read += chunk.length;
      if (!parts.shipper.isFull && !stop.aborted) continue;
      follower.restRead(reached(false));
      await parts.shipper.ship(follower.positions());
      if (stop.aborted) return;
    }
  } catch (error) {
    if (error instanceof Stopped || error instanceof Fault) throw error;
    around.error(
      `${path} can't be read to its end: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
  cutter.end(onLine);
  parts.others.end(file);
  follower.restRead(reached(true));
}
