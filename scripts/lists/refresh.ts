/**
 * Renews packages/core/data from upstream and shows what changed. Nothing is written without `--write`, and nothing that breaks a
 * vector; the written change is then reviewed like any other.
 *
 *   node scripts/lists/refresh.ts            shows the difference
 *   node scripts/lists/refresh.ts --write    writes it, with a new version and today's date
 */
import { fileURLToPath } from 'node:url';
import { isbot } from 'isbot';
import { type BotsFile, buildLists, type ListFiles, validateLists } from '../../packages/core/src/index.ts';
import userAgents from '../../packages/core/vectors/classify.json' with { type: 'json' };
import { runVectors } from '../../packages/core/vectors/run.ts';
import { type BotRenewal, renewBots } from './bots.ts';
import { readListFiles, writeListFile } from './files.ts';
import { type RangeRenewal, renewRanges } from './ranges.ts';
import { type ReadUpstream, readUpstream } from './upstream.ts';

export const ROBOTS_URL = 'https://raw.githubusercontent.com/ai-robots-txt/ai.robots.txt/main/robots.json';

export interface RefreshOptions {
  /** The directory of the list files. */
  directory: string;
  read: ReadUpstream;
  /** `YYYY-MM-DD` */
  today: string;
  write: boolean;
}

export interface RefreshReport {
  bots: BotRenewal;
  ranges: RangeRenewal;
  /** The files that changed; empty when upstream brought nothing new. */
  written: string[];
}

/** @throws Error when the bot list can't be taken, or when the renewed lists break a vector: then nothing is written */
export async function refresh({ directory, read, today, write }: RefreshOptions): Promise<RefreshReport> {
  const files = readListFiles(directory);
  const bots = renewBots(files.bots, await read(ROBOTS_URL), userAgents.cases);
  const ranges = await renewRanges(files.ranges, read, today);
  const report: RefreshReport = { bots, ranges, written: [] };
  const raise = <T extends { version: number }>(file: T): T => ({
    ...file,
    version: file.version + 1,
    updated: today,
  });
  const changed: Partial<ListFiles> = {
    ...(bots.added.length + bots.removed.length > 0 ? { bots: raise(retrieved(bots.file, today)) } : {}),
    ...(ranges.changed.length > 0 ? { ranges: raise(ranges.file) } : {}),
  };
  assertSound({ ...files, ...changed });
  if (!write) return report;
  for (const [name, file] of [
    ['bots.json', changed.bots],
    ['ip-ranges.json', changed.ranges],
  ] as const) {
    if (file === undefined) continue;
    writeListFile(directory, name, file);
    report.written.push(name);
  }
  return report;
}

/** The raw file carries no commit: the date takes its place. */
function retrieved(file: BotsFile, today: string): BotsFile {
  const sources = file.sources.map(({ commit, ...source }) =>
    source.url === ROBOTS_URL
      ? { ...source, retrieved: today }
      : { ...source, ...(commit === undefined ? {} : { commit }) },
  );
  return { ...file, sources };
}

function assertSound(files: ListFiles): void {
  const lists = buildLists(files);
  const validation = validateLists(lists);
  if ('reasons' in validation)
    throw new Error(`the renewed lists are not valid: ${validation.reasons.join('; ')}`);
  const { failures } = runVectors(lists, isbot);
  if (failures.length > 0)
    throw new Error(`the renewed lists break ${failures.length} of the vectors: ${failures.join('; ')}`);
}

/** The report as lines to read. */
export function describeRefresh({ bots, ranges, written }: RefreshReport): string[] {
  return [
    ...bots.added.map((name) => `+ ${name}`),
    ...bots.removed.map((name) => `- ${name}`),
    ...bots.refused.map(({ name, reason }) => `! ${name}: ${reason}`),
    ...ranges.changed.map(
      ({ id, added, removed, skipped }) => `~ ${id}: +${added} -${removed}, ${skipped} unreadable`,
    ),
    ...ranges.refused.map(({ id, reason }) => `! ${id}: kept as it is (${reason})`),
    written.length === 0 ? 'Nothing written.' : `Written: ${written.join(', ')}.`,
  ];
}

if (import.meta.main) {
  const report = await refresh({
    directory: fileURLToPath(new URL('../../packages/core/data/', import.meta.url)),
    read: readUpstream,
    today: new Date().toISOString().slice(0, 10),
    write: process.argv.includes('--write'),
  });
  for (const line of describeRefresh(report)) console.log(line);
}
