import { type ReactNode, useContext } from 'react';
import type { Changed } from './api.ts';
import { ComparisonContext } from './comparison.ts';
import { changeText } from './figures.ts';

interface StatProps {
  label: ReactNode;
  value: ReactNode;
  /** Beside the figure: a change. */
  aside?: ReactNode;
  /** Below it, in one short line. */
  note?: ReactNode;
}

/** One figure of a strip (`<dl className="stat-strip card">`). */
export function Stat({ label, value, aside, note }: StatProps) {
  return (
    <div className="stat">
      <dt>{label}</dt>
      <dd className="number">
        {value} {aside}
        {note !== undefined && <div className="stat-note">{note}</div>}
      </dd>
    </div>
  );
}

const ARROWS = { up: '↑', down: '↓' } as const;
const SIGNS = { up: '+', down: '−', same: '' } as const;

interface DeltaProps {
  of: Changed | undefined;
  /** Whether more is better, worse, or neither. */
  more?: 'good' | 'bad' | 'neutral';
  /** Said where there is no percentage. */
  none?: string;
}

/**
 * The change against the previous period. An arrow, and a colour where more is better or worse, stand only where the days say that it is
 * no chance; what such days do anyway is grey.
 */
export function Delta({ of, more = 'neutral', none }: DeltaProps) {
  const { than, gap } = useContext(ComparisonContext);
  if (gap !== null)
    return (
      <span className="delta-gap quiet" title={gap.why}>
        <span aria-hidden="true">{none === undefined ? gap.words : '–'}</span>
        <span className="visually-hidden">{gap.words}, so no comparison</span>
      </span>
    );
  const change = of?.change ?? null;
  const text = changeText(change);
  if (change === null || text === null)
    return none === undefined ? null : <span className="quiet">{none}</span>;
  const direction = change === 0 ? 'same' : change > 0 ? 'up' : 'down';
  if (of?.change_stands_out !== true || direction === 'same')
    return (
      <span
        className="delta number quiet"
        data-tone="none"
        title={`Against ${than}: within the usual ups and downs of these days`}
      >
        <span aria-hidden="true">
          {SIGNS[direction]}
          {text}
        </span>
        <span className="visually-hidden">
          {direction} {text} against {than}, within the usual ups and downs
        </span>
      </span>
    );
  const tone = more === 'neutral' ? 'neutral' : (direction === 'up') === (more === 'good') ? 'good' : 'bad';
  return (
    <span className="delta number" data-tone={tone} title={`Against ${than}: more than chance`}>
      <span aria-hidden="true">{ARROWS[direction]}</span>
      <span className="visually-hidden">{direction}</span>
      {text}
      <span className="visually-hidden"> against {than}</span>
    </span>
  );
}
