/** Dark on light in both themes, because many scanners need it. An SVG path, which the content policy allows. */
export function QrCode({ rows, label }: { rows: readonly string[]; label: string }) {
  const size = rows.length + 2 * QUIET_ZONE;
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect className="qr-light" width={size} height={size} />
      <path className="qr-dark" d={qrPath(rows)} />
    </svg>
  );
}

/** Light modules around the code, which scanners need. */
const QUIET_ZONE = 4;

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
