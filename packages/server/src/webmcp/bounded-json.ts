/** Guards what arrives as any JSON: nothing below may recurse into a value before its depth is known. */
import { z } from '@hono/zod-openapi';

/** Deeper than any manifest may be, so that too deep a schema still gets a sentence at its place. */
export const MAX_DEPTH = 64;

/** Without recursion, which is what a hostile depth is aimed at. */
export function isDeeperThan(limit: number, value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((part) =>
      typeof part === 'object' && part !== null ? Object.values(part as object) : [],
    );
  }
  return false;
}

/** @param maxBytes in UTF-8, as JSON without blanks */
export const boundedJson = (maxBytes: number) =>
  z
    .unknown()
    .refine((value) => !isDeeperThan(MAX_DEPTH, value), `Nested more than ${MAX_DEPTH} deep.`)
    .refine(
      (value) => isDeeperThan(MAX_DEPTH, value) || Buffer.byteLength(JSON.stringify(value) ?? '') <= maxBytes,
      `At most ${maxBytes / 1024} KiB.`,
    );
