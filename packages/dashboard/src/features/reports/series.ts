/** The series that several reports draw, and what their points are. */

import { intentName } from '../../format/names.ts';
import type { Point, Series } from '../charts/steps.ts';
import type { Day, Estimates } from './types.ts';

/** Stacked from the ground up; on demand on top, where the eye is. */
export const INTENT_SERIES: readonly Series[] = (['other', 'training', 'search', 'on_demand'] as const).map(
  (intent) => ({ key: intent, name: intentName(intent), paint: intent }),
);

export const VERDICT_SERIES: readonly Series[] = [
  { key: 'verified', name: '✓ Verified', paint: 'verified' },
  { key: 'unknown', name: '? Unknown', paint: 'unknown' },
  { key: 'spoofed', name: '✕ Spoofed', paint: 'spoofed' },
];

/** The figures of a day that the series are made of. */
export function pointsOf<Key extends string>(
  days: readonly (Day & { readonly estimates: Estimates } & Readonly<Record<Key, number>>)[],
  keys: readonly Key[],
): Point[] {
  return days.map((day) => ({
    day: day.day,
    partial: day.partial,
    values: Object.fromEntries(keys.map((key) => [key, day[key]])),
    estimated: day.estimates,
  }));
}
