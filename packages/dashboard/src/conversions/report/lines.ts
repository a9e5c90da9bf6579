/** How the lines of a chart are named, coloured and counted, the same in picture, legend and table. */
import { formatCount, formatMoney } from '../model/money.ts';
import { type Line, MAX_SERIES, OTHERS } from '../model/series.ts';
import type { Dimension } from '../types.ts';
import { keyName } from '../words.ts';

/** @param currency null: a number of conversions */
export function figure(value: string, currency: string | null): string {
  return currency === null ? formatCount(value) : formatMoney({ value, currency });
}

/** Colour and legend sign of a line. Teal is for AI wherever it is drawn. */
export function seriesOf({ key, gathered }: Line, index: number): string {
  if (gathered) return 'others';
  return key === 'ai_assistant' ? 'ai' : String(index % MAX_SERIES);
}

export function lineName({ key, gathered }: Line, by: Dimension): string {
  return gathered ? OTHERS : keyName(key, by);
}
