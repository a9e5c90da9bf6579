import { useContext } from 'react';
import { ComparisonContext } from './comparison.ts';
import { changeText } from './figures.ts';

const ARROWS = { up: '↑', down: '↓', same: '→' } as const;

interface DeltaProps {
  change: number | null;
  /** Whether more is better, worse, or neither. */
  more?: 'good' | 'bad' | 'neutral';
  /** Said where there was nothing before. */
  none?: string;
}

/** The change against the previous period: an arrow and a figure; colour only where more is better or worse. */
export function Delta({ change, more = 'neutral', none }: DeltaProps) {
  const { than, gap } = useContext(ComparisonContext);
  if (gap !== null)
    return (
      <span className="delta-gap quiet" title={gap.why}>
        <span aria-hidden="true">{none === undefined ? gap.words : '–'}</span>
        <span className="visually-hidden">{gap.words}, so no comparison</span>
      </span>
    );
  const text = changeText(change);
  if (change === null || text === null)
    return none === undefined ? null : <span className="quiet">{none}</span>;
  const direction = Math.abs(change) < 0.005 ? 'same' : change > 0 ? 'up' : 'down';
  const tone =
    more === 'neutral' || direction === 'same'
      ? 'neutral'
      : (direction === 'up') === (more === 'good')
        ? 'good'
        : 'bad';
  return (
    <span className="delta number" data-tone={tone} title={`Against ${than}`}>
      <span aria-hidden="true">{ARROWS[direction]}</span>
      <span className="visually-hidden">{direction}</span>
      {text}
      <span className="visually-hidden"> against {than}</span>
    </span>
  );
}
