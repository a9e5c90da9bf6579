import { DayChart } from '../charts/DayChart.tsx';
import { type DayPart, type DayPoint, PARTS } from './days.ts';
import './outcomes.css';

const PART_NAMES: Readonly<Record<DayPart, string>> = {
  delivered: 'Delivered',
  processing: 'Processing',
  waiting: 'Waiting',
  skipped: 'Skipped',
  unknown: 'Unknown',
  dead: 'Failed',
};
const SERIES = PARTS.map((part) => ({ key: part, name: PART_NAMES[part], paint: `delivery-${part}` }));
/** Columns of the table that are not drawn. */
const BEFORE = [
  { key: 'received', name: 'Received' },
  { key: 'matched', name: 'Matched' },
];

interface DeliveryDaysProps {
  /** The page has the totals beside the chart. */
  isTotalled?: boolean;
  points: readonly DayPoint[];
  /** Days were chosen in the chart, `2026-11-21`. */
  onNarrow: (from: string, to: string) => void;
}

/** The deliveries of one destination by day and outcome. */
export function DeliveryDays({ isTotalled = false, points, onNarrow }: DeliveryDaysProps) {
  return (
    <DayChart
      title="Deliveries"
      points={points}
      series={SERIES}
      also={BEFORE}
      isTotalled={isTotalled}
      onNarrow={onNarrow}
    />
  );
}
