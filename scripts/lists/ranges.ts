/** Renews the published IP ranges, each set on its own: one vendor's broken answer costs only that vendor's renewal. */
import { parseRangeFile, type RangeRow, type RangesFile } from '../../packages/core/src/index.ts';
import type { ReadUpstream } from './upstream.ts';

export interface RangeRenewal {
  /** Version and date are still the old ones. */
  file: RangesFile;
  changed: { id: string; added: number; removed: number; skipped: number }[];
  refused: { id: string; reason: string }[];
}

/** A set that lost more than three quarters at once is taken for a truncated answer. */
const LEAST_SHARE = 1 / 4;
/** Below this a share means nothing: Perplexity-User has four prefixes. */
const SMALL_SET = 8;

/** @param today `YYYY-MM-DD` */
export async function renewRanges(
  current: RangesFile,
  read: ReadUpstream,
  today: string,
): Promise<RangeRenewal> {
  const renewal: RangeRenewal = { file: current, changed: [], refused: [] };
  const sets: RangeRow[] = [];
  // One after the other: a dozen requests a week need no haste.
  for (const set of current.sets) {
    try {
      sets.push(renewSet(set, await read(set.url), today, renewal));
    } catch (error) {
      renewal.refused.push({ id: set.id, reason: error instanceof Error ? error.message : String(error) });
      sets.push(set);
    }
  }
  renewal.file = { ...current, sets };
  return renewal;
}

function renewSet(set: RangeRow, text: string, today: string, renewal: RangeRenewal): RangeRow {
  const file = parseRangeFile(text);
  if ('error' in file) throw new Error(`${set.url}: ${file.error}`);
  if (set.prefixes.length >= SMALL_SET && file.prefixes.length < set.prefixes.length * LEAST_SHARE) {
    throw new Error(`${set.url}: shrank from ${set.prefixes.length} to ${file.prefixes.length} prefixes`);
  }
  const before = new Set(set.prefixes);
  const after = new Set(file.prefixes);
  const added = file.prefixes.filter((prefix) => !before.has(prefix)).length;
  const removed = set.prefixes.filter((prefix) => !after.has(prefix)).length;
  if (added === 0 && removed === 0 && set.complete) return set;
  renewal.changed.push({ id: set.id, added, removed, skipped: file.skipped });
  return {
    ...set,
    prefixes: file.prefixes,
    complete: true,
    as_of: today,
    copied_from: "the vendor's own file",
  };
}
