/** Modules of light around the code, without which readers don't find it. */
export const QUIET_ZONE = 4;

/** A bar for each run of dark modules. @param rows of `0` and `1` (dark) */
export function qrPath(rows: readonly string[]): string {
  return rows
    .flatMap((row, y) =>
      [...row.matchAll(/1+/g)].map(
        ({ index, 0: run }) => `M${index + QUIET_ZONE} ${y + QUIET_ZONE}h${run.length}v1h-${run.length}z`,
      ),
    )
    .join('');
}
