import { changeText } from './figures.ts';

interface DeltaProps {
  change: number | null;
  /** What it is compared with: `the 30 days before`. */
  than: string;
  /** Whether more is better, worse, or neither. */
  more?: 'good' | 'bad' | 'neutral';
  /** Said where there was nothing before. */
  none?: string;
}

/** The change against the previous period: an arrow and a figure; colour only where more is better or worse. */
export function Delta({ change, than, more = 'neutral', none }: DeltaProps) {
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
      <span aria-hidden="true">{direction === 'up' ? '↑' : direction === 'down' ? '↓' : '→'}</span>
      {text}
      <span className="visually-hidden"> against {than}</span>
    </span>
  );
}
