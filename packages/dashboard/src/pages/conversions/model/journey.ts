/** Words of the journey that led to a conversion. */
import type { Touch } from '../../../features/conversions/api.ts';

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** How long after one moment the next came: `3 days later`. A browser's clock may have been a little ahead. */
export function apart(from: string, to: string): string {
  const distance = Date.parse(to) - Date.parse(from);
  if (!Number.isFinite(distance)) return '';
  const unit = UNITS.find(([, ms]) => distance >= ms);
  if (unit === undefined) return 'at once';
  const count = Math.floor(distance / unit[1]);
  return `${count} ${unit[0]}${count === 1 ? '' : 's'} later`;
}

export function landingOf(landing: Touch['landing']): string {
  return `${landing.host}${landing.path}`;
}
