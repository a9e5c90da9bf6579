import { QUIET_ZONE, qrPath } from './qr-path.ts';

/** Dark on light in both themes: many readers know no other. One path, no image, nothing that the content policy forbids. */
export function QrCode({ rows, label }: { rows: readonly string[]; label: string }) {
  const size = rows.length + 2 * QUIET_ZONE;
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect className="qr-light" width={size} height={size} />
      <path className="qr-dark" d={qrPath(rows)} />
    </svg>
  );
}
