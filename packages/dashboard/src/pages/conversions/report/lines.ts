/** How the lines of a chart are named, coloured and counted. */
import type { Point, Series } from '../../../features/charts/steps.ts';
import type { Dimension } from '../../../features/conversions/api.ts';
import { formatCount, formatMoney } from '../../../features/conversions/money.ts';
import { keyName } from '../messages.ts';
import { type Line, MAX_SERIES, OTHERS, type Shaped } from '../model/series.ts';

/** Amounts and shared credit are told apart up to here. */
const PLACES = 6;

/**
 * A figure of the chart, which adds its points as floats: these places bring back what was added, as long as it is below a thousand million.
 * @param currency null: a number of conversions
 */
export function figure(value: number, currency: string | null): string {
  const text = value.toFixed(PLACES);
  return currency === null ? formatCount(text) : formatMoney({ value: text, currency });
}

export function seriesOf(lines: readonly Line[], by: Dimension): Series[] {
  return lines.map((line, index) => ({
    key: line.key,
    name: line.gathered ? OTHERS : keyName(line.key, by),
    paint: paintOf(line, index),
  }));
}

/** Teal is for AI wherever it is drawn. */
function paintOf({ key, gathered }: Line, index: number): string {
  if (gathered) return 'rest';
  return key === 'ai_assistant' ? 'ai_referral' : `hue-${1 + (index % MAX_SERIES)}`;
}

/** @param today day that is not over yet */
export function pointsOf({ days, lines }: Shaped, today: string): Point[] {
  return days.map((day, index) => ({
    day,
    partial: day === today,
    values: Object.fromEntries(lines.map(({ key, values }) => [key, Number(values[index] ?? '0')])),
  }));
}
