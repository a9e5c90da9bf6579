/** How a property's traffic gets here: by a log source, as its set-up names itself in the address, or by one command, to try it. */
import type { LogSource } from '../../api/types.ts';

export const TRY_IT = 'curl';

export function readWay(search: Record<string, unknown>): { via?: string } {
  const { via } = search;
  return typeof via === 'string' && /^[a-z0-9_-]{1,40}$/.test(via) ? { via } : {};
}

/** The source that is meant, else the first; null: just try it. */
export function chosenSource(via: string | undefined, sources: readonly LogSource[]): LogSource | null {
  if (via === TRY_IT) return null;
  return sources.find(({ setup }) => setup.slug === via) ?? sources[0] ?? null;
}
