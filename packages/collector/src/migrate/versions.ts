/** The numbers of a version as text (`0.4.2`, `v0.4.2-beta.1`); null when it is none. A pre-release counts as its release. */
export function readVersion(text: unknown): readonly [number, number, number] | null {
  const match = typeof text === 'string' ? /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:[-+]|$)/.exec(text) : null;
  return match === null ? null : [Number(match[1]), Number(match[2]), Number(match[3])];
}

/** False where either is no version. */
export function isBefore(version: string | null, other: string): boolean {
  const left = readVersion(version);
  const right = readVersion(other);
  if (left === null || right === null) return false;
  for (const [index, number] of left.entries()) {
    const against = right[index] ?? 0;
    if (number !== against) return number < against;
  }
  return false;
}
