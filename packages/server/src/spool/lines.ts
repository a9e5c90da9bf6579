/** JSONEachRow as bytes: lines that each end with one line feed. Nothing here decodes, so no character can be cut. */
import type { Conflict, PackedChunk } from './port.ts';

const LINE_FEED = 0x0a;

/** The lines, each with its line feed. */
export function linesOf(body: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(LINE_FEED, start);
    const next = end === -1 ? body.length : end + 1;
    lines.push(body.subarray(start, next));
    start = next;
  }
  return lines;
}

export function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** The chunk less some of its lines, by number. */
export function without(chunk: PackedChunk, lines: ReadonlySet<number> | undefined): PackedChunk {
  if (lines === undefined || lines.size === 0) return chunk;
  const kept = linesOf(chunk.body).filter((_, index) => !lines.has(index));
  return { month: chunk.month, rows: kept.length, body: join(kept) };
}

/** chunk → numbers of the lines to leave out */
export function droppedLines(
  conflicts: readonly Pick<Conflict, 'chunk' | 'line'>[],
): Map<number, Set<number>> {
  const dropped = new Map<number, Set<number>>();
  for (const { chunk, line } of conflicts) {
    const lines = dropped.get(chunk);
    if (lines === undefined) dropped.set(chunk, new Set([line]));
    else lines.add(line);
  }
  return dropped;
}

/** How many of the numbers lie below one. */
export function countBelow(lines: ReadonlySet<number> | undefined, line: number): number {
  return lines === undefined ? 0 : [...lines].filter((dropped) => dropped < line).length;
}
