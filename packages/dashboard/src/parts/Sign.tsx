import type { ComponentType } from 'react';
import { IconCheck, IconCross } from './icons.tsx';

/** `off`: inactive, without a problem. */
export type Tone = 'good' | 'bad' | 'wait' | 'unknown' | 'off';

/** A state with its tone and text. */
export interface Words {
  readonly tone: Tone;
  readonly title: string;
  /** Its own sign, where several states share a tone. */
  readonly sign?: WaitSign;
}

/** Ways of waiting: for a turn, under way, once more, for the other side, for an answer that a person can find, for a look at what failed. */
type WaitSign = 'clock' | 'arrow' | 'again' | 'half' | 'question' | 'warning';

const SIGNS: Readonly<Record<Tone, ComponentType>> = {
  good: IconCheck,
  bad: IconCross,
  wait: IconClock,
  unknown: IconQuestion,
  off: IconDash,
};

/** A state as a sign in a coloured circle, always used beside its text. */
export function Sign({ tone, sign }: Pick<Words, 'tone' | 'sign'>) {
  const Icon = SIGNS[tone];
  return (
    <span className="sign" data-tone={tone}>
      {sign === undefined ? <Icon /> : <Line path={WAIT_SIGNS[sign]} />}
    </span>
  );
}

const CIRCLE = 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8z';
const QUESTION = 'M5.4 5.6a2.6 2.6 0 1 1 3.9 2.3c-.8.4-1.3.9-1.3 1.7M8 12.4h0';
const CLOCK = `${CIRCLE}M8 4.8V8l2.2 1.6`;

/** A state that resolves by itself. */
function IconClock() {
  return <Line path={CLOCK} />;
}

function IconQuestion() {
  return <Line path={QUESTION} />;
}

function IconDash() {
  return <Line path="M4 8h8" />;
}

/** In the style of parts/icons.tsx; here because the first view needs none of these. */
function Line({ path }: { path: string }) {
  return (
    <svg
      className="icon"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

const WAIT_SIGNS: Readonly<Record<WaitSign, string>> = {
  clock: CLOCK,
  arrow: 'M2.5 8h11M9.5 4l4 4-4 4',
  again: 'M13.6 8A5.6 5.6 0 1 1 11.8 3.9M13.8 1.6v3.2h-3.2',
  half: `${CIRCLE}M8 2.5v11M10.2 3v10M12.3 4.6v6.8`,
  question: QUESTION,
  warning: 'M8 2 14.5 13.5h-13zM8 6.5v3M8 11.6h0',
};

/** A state in a table: sign, text and colour. */
export function Mark({ tone, title, sign }: Words) {
  const Icon = SIGNS[tone];
  return (
    <span className="mark" data-tone={tone}>
      {sign === undefined ? <Icon /> : <Line path={WAIT_SIGNS[sign]} />}
      {title}
    </span>
  );
}
