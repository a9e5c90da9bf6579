/** `ghostlight import`: first it reads all files and says what would change, then it sends them. It can be stopped and started again. */

import { statSync } from 'node:fs';
import { DAY_MS, MINUTE_MS } from '@ghostlight/core/time';
import { contentOf, HEAD_BYTES, readContentHead } from './archives.ts';
import type { Counters } from './counters.ts';
import { type Ended, endOf, figuresOf } from './ended.ts';
import { Fault, Misuse, messageOf } from './faults.ts';
import { fingerprintOf, isSame } from './fingerprint.ts';
import { expand } from './globs.ts';
import { LineCutter } from './lines.ts';
import { closing, plural } from './messages.ts';
import type { Values } from './options.ts';
import { chooseParser } from './parsers.ts';
import { makeParts, type Parts } from './parts.ts';
import { Progress } from './progress.ts';
import { Stopped } from './sender.ts';
import { type Settings, settingsOf } from './settings.ts';
import { EMPTY_STATE, type Position, StateFile } from './state.ts';
import type { Surroundings } from './surroundings.ts';
import type { Visit } from './visit.ts';

/** How long a service that is down is waited for before the import ends; it can be started again. */
const PATIENCE_MS = 10 * MINUTE_MS;
const SAMPLE_BYTES = 64 * 1024;
/** Days that are listed one by one. */
const MAX_DAYS_TOLD = 31;

/** @throws Fault, Misuse */
export async function runImport(values: Values, around: Surroundings): Promise<Ended> {
  const settings = settingsOf('import', values, around);
  const files = [...new Set(settings.files.flatMap(expand))];
  if (files.length === 0) throw new Misuse('Name the files to import.');
  for (const file of files) checkReadable(file);

  const surveyed = await survey(files, settings, around);
  around.error(surveyed.told);
  const figures = figuresOf(surveyed.counters, false);
  if (figures.ai_visits === 0) {
    around.error('There is nothing to send.\n');
    return { exitCode: surveyed.counters.rejectedLines > 0 ? 3 : 0, figures };
  }
  if (!settings.dryRun && !(await isAgreed(values.flag('yes'), around))) {
    around.error('Nothing was sent.\n');
    return { exitCode: 1, figures };
  }
  return await sendAll(files, settings, around);
}

function checkReadable(file: string): void {
  try {
    if (statSync(file).isFile()) return;
  } catch (error) {
    throw new Fault(messageOf(error));
  }
  throw new Fault(`${file} is no file.`);
}

async function isAgreed(yes: boolean, { ask }: Surroundings): Promise<boolean> {
  if (yes) return true;
  if (ask === null) throw new Misuse('There is no terminal to confirm at. Start with --yes.');
  return await ask('Start? [y/N] ');
}

interface Surveyed {
  readonly counters: Counters;
  readonly told: string;
}

/** Reads everything once, and sends nothing. */
async function survey(files: readonly string[], settings: Settings, around: Surroundings): Promise<Surveyed> {
  const parts = makeParts(
    { ...settings, dryRun: true },
    { source: 'import', stateFile: null, counts: [], isPatient: false, patienceMs: 0 },
    around,
  );
  await parts.lists.refresh(around.now());
  const days = new Map<string, number>();
  const onVisit = ({ timestamp }: Visit): void => {
    const day = new Date(timestamp).toISOString().slice(0, 10);
    days.set(day, (days.get(day) ?? 0) + 1);
  };
  const progress = new Progress('Looking', files, around);
  let positions: readonly Position[] = [];
  for (const file of files) {
    // A log and its compressed copy are read once, as they are sent once.
    const known = await positionOf(file, positions);
    for await (const position of readFile(file, known, parts, settings, progress, onVisit)) {
      positions = withPosition(positions, position);
      if (around.stop.aborted) throw new Fault('Ended. Nothing was sent.');
    }
  }
  progress.end();
  return {
    counters: parts.counters,
    told: tellDays(files.length, parts, days, around.now()),
  };
}

function tellDays(
  files: number,
  { counters }: Parts,
  days: ReadonlyMap<string, number>,
  now: number,
): string {
  const read = `${plural(files, 'file')}, ${plural(counters.lines, 'line')}: ${plural(counters.sent, 'AI visit')}.`;
  const ordered = [...days].sort(([a], [b]) => (a < b ? -1 : 1));
  const [first] = ordered[0] ?? [''];
  const [last] = ordered.at(-1) ?? [''];
  const old = ordered.filter(([day]) => Date.parse(day) < now - 31 * DAY_MS).length;
  const lines = [read];
  if (ordered.length > 0) {
    const olderToo = old > 0 ? `, ${old} of them older than 31 days` : '';
    lines.push(
      `These days will change (UTC): ${first} to ${last}, ${plural(ordered.length, 'day')}${olderToo}.`,
    );
    for (const [day, visits] of ordered.slice(0, MAX_DAYS_TOLD))
      lines.push(`  ${day}  ${plural(visits, 'visit')}`);
    if (ordered.length > MAX_DAYS_TOLD)
      lines.push(`  and ${plural(ordered.length - MAX_DAYS_TOLD, 'more day')}`);
  }
  if (counters.rejectedLines > 0)
    lines.push(`${plural(counters.rejectedLines, 'line')} can't be read; the reasons follow at the end.`);
  return `${lines.join('\n')}\n`;
}

async function sendAll(files: readonly string[], settings: Settings, around: Surroundings): Promise<Ended> {
  const stateFile = settings.dryRun ? null : new StateFile(settings.statePath);
  const state = stateFile?.open() ?? EMPTY_STATE;
  const { counts, open } = state.pending?.then ?? state;
  const parts = makeParts(
    settings,
    { source: 'import', stateFile, counts, open, isPatient: false, patienceMs: PATIENCE_MS },
    around,
  );
  const { shipper, counters } = parts;
  const progress = new Progress('Sending', files, around);
  try {
    await parts.lists.refresh(around.now());
    const resumed = await shipper.resume(state);
    let positions = (resumed ?? state).positions;
    if (positions.length > 0) around.error('Going on where the last import of these files ended.\n');
    const onVisit = (visit: Visit): void => {
      if (settings.dryRun) settings.print(visit);
      else shipper.add(visit);
    };
    for (const file of files) {
      const known = await positionOf(file, positions);
      for await (const position of readFile(file, known, parts, settings, progress, onVisit)) {
        positions = withPosition(positions, position);
        if (position.done === true || shipper.isFull || around.stop.aborted) await shipper.ship(positions);
        if (around.stop.aborted) throw new Stopped();
      }
    }
    progress.end();
    // The next import of the same files starts from the first line: a visit that is stored already counts once.
    stateFile?.remove();
  } catch (error) {
    progress.end();
    if (!(error instanceof Stopped || error instanceof Fault)) throw error;
    around.error(closing(counters, settings.dryRun));
    const why = error instanceof Stopped ? 'Ended before all was sent.' : error.message;
    throw new Fault(`${why} Start the same command again to go on from here.`);
  } finally {
    stateFile?.close();
  }
  return endOf(counters, settings, around);
}

/** Where an ended import of this file stood. */
async function positionOf(file: string, positions: readonly Position[]): Promise<Position | null> {
  const head = await readContentHead(file, HEAD_BYTES);
  return positions.find(({ fingerprint }) => isSame(fingerprint, head)) ?? null;
}

/** The newest position of each file. */
const withPosition = (positions: readonly Position[], position: Position): Position[] => [
  ...positions.filter(({ fingerprint }) => fingerprint.digest !== position.fingerprint.digest),
  position,
];

/** @returns positions from time to time, at the ends of lines; the last one is `done` */
async function* readFile(
  file: string,
  known: Position | null,
  { sieve, counters, others }: Parts,
  settings: Settings,
  progress: Progress,
  onVisit: (visit: Visit) => void,
): AsyncGenerator<Position> {
  const head = await readContentHead(file, SAMPLE_BYTES);
  const start: Position = known ?? {
    path: file,
    inode: 0,
    fingerprint: fingerprintOf(head),
    offset: 0,
    columns: null,
  };
  const chosen = head.length === 0 ? null : chooseParser(settings, withEnd(head), start.columns);
  if (chosen === null || chosen === 'unknown') {
    if (head.length > 0) throw new Fault(`${file} has an unknown format. State it: --format NAME`);
    return;
  }
  progress.begin(file, start.offset === 0 ? chosen.told : `${chosen.told}, from byte ${start.offset}`);
  const cutter = new LineCutter();
  let read = start.offset;
  const onLine = (line: Buffer | null): void => {
    const visit = sieve.read(line, chosen.parser, file);
    if (visit !== null) onVisit(visit);
  };
  const reached = (): Position => ({
    ...start,
    offset: read - cutter.waiting,
    columns: chosen.parser.columns(),
  });
  try {
    for await (const chunk of contentOf(file, start.offset, (bytes) => progress.add(bytes))) {
      cutter.push(chunk, onLine);
      read += chunk.length;
      progress.lines(counters.lines);
      yield reached();
    }
  } catch (error) {
    if (error instanceof Fault || error instanceof Stopped) throw error;
    throw new Fault(`${file} can't be read to its end: ${messageOf(error)}`);
  }
  cutter.end(onLine);
  others.end(file);
  yield { ...reached(), done: true };
}

/** A file of one line may lack its end. */
const withEnd = (head: Buffer): Buffer =>
  head.length < SAMPLE_BYTES && head.at(-1) !== 0x0a ? Buffer.concat([head, Buffer.from('\n')]) : head;
