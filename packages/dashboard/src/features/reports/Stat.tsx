import { type ReactNode, useContext } from 'react';
import { changeText } from '../../format/change.ts';
import type { Changed } from './api.ts';
import { type Comparison, ComparisonContext, SO_FAR, withoutText } from './comparison.ts';
import { comparedText } from './figures.ts';
import type { HourChange } from './hours.ts';
import './styles/delta.css';

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

/** Instead of a percentage: none came in the days compared with. It says nothing of the days before those. */
export const FROM_NONE = 'from 0';

const ARROWS = { up: '↑', down: '↓', same: '' } as const;

interface DeltaProps {
  of: Changed | undefined;
  /** Whether more is better, worse, or neither. */
  more?: 'good' | 'bad' | 'neutral';
  /** The two sums that the change is made of, where `of` has none: `136 vs 119`. */
  pair?: string | undefined;
  /** Shown when there is no percentage; left out: its place stays empty. */
  none?: string | undefined;
  /** Why there is none, on hover. */
  noneWhy?: string;
  /** Of a list: the figures before it say why there is no comparison. */
  isRow?: boolean;
  /** Another figure of the page says why there is no comparison. */
  isFurther?: true;
  /** Of a day that is not over: the change of its hours, without the one that is running. */
  soFar?: HourChange | null;
}

/**
 * The change against the period compared with. It has a colour where more is better or worse, and it is more than the usual variation of
 * such days; any other change is neutral. A hint says which it is, and names what is compared.
 */
export function Delta({
  of,
  more = 'neutral',
  pair = comparedText(of),
  none,
  noneWhy,
  isFurther,
  isRow = false,
  soFar = null,
}: DeltaProps) {
  const { than, gap, without, isOff, hoursThan } = useContext(ComparisonContext);
  if (gap !== null && soFar !== null && !isOff)
    return (
      <QuietDelta
        change={soFar.change}
        than={`${hoursThan ?? than}: ${soFar.pair}`}
        about="of the hours that are over"
      />
    );
  if (isOff || (gap !== null && isFurther)) return null;
  if (gap !== null) return <Gap gap={gap} isShown={!isRow && none === undefined && gap.words !== SO_FAR} />;
  const change = of?.change ?? null;
  const text = changeText(change);
  if (change === null || text === null)
    return none === undefined ? null : (
      <span className="quiet" title={noneWhy}>
        {none}
      </span>
    );
  const compared = `${than}${withoutText({ without })}${pair === undefined ? '' : `: ${pair}`}`;
  const direction = directionOf(change);
  if (of?.change_stands_out !== true || direction === 'same')
    return <QuietDelta change={change} than={compared} about="within normal variation" />;
  const tone = more === 'neutral' ? 'neutral' : (direction === 'up') === (more === 'good') ? 'good' : 'bad';
  return (
    <span className="delta number" data-tone={tone} title={`Compared with ${compared}. Significant change`}>
      <span aria-hidden="true">{ARROWS[direction]}</span>
      <span className="visually-hidden">{direction}</span>
      {text}
      <span className="visually-hidden"> compared with {than}</span>
    </span>
  );
}

interface GapProps {
  gap: NonNullable<Comparison['gap']>;
  /** Whether it is said for eyes too: the line of days says that today is not over. */
  isShown: boolean;
}

/** Why there is no change. */
export const Gap = ({ gap, isShown }: GapProps) => (
  <span className="delta-gap quiet" title={gap.why}>
    {isShown && <span aria-hidden="true">{gap.words}</span>}
    <span className="visually-hidden">{capital(gap.brief)}</span>
  </span>
);

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const directionOf = (change: number): keyof typeof ARROWS =>
  change === 0 ? 'same' : change > 0 ? 'up' : 'down';

interface QuietDeltaProps {
  change: number;
  than: string;
  /** What there is to know of it: `within normal variation`. */
  about: string;
}

/** A change that need not mean anything. */
function QuietDelta({ change, than, about }: QuietDeltaProps) {
  const direction = directionOf(change);
  const text = changeText(change);
  return (
    <span className="delta number" data-tone="none" title={`Compared with ${than}. ${capital(about)}`}>
      <span aria-hidden="true">
        {ARROWS[direction]} {text}
      </span>
      <span className="visually-hidden">
        {direction} {text} compared with {than}, {about}
      </span>
    </span>
  );
}
