import type { ComponentType } from 'react';
import { IconCheck, IconCross } from './icons.tsx';

/** `off`: inactive, without a problem. */
export type Tone = 'good' | 'bad' | 'wait' | 'unknown' | 'off';

/** A state with its tone and text. */
export interface Words {
  readonly tone: Tone;
  readonly title: string;
}

const SIGNS: Readonly<Record<Tone, ComponentType>> = {
  good: IconCheck,
  bad: IconCross,
  wait: IconClock,
  unknown: IconQuestion,
  off: IconDash,
};

/** A state as a sign in a coloured circle, always used beside its text. */
export function Sign({ tone }: { tone: Tone }) {
  const Icon = SIGNS[tone];
  return (
    <span className="sign" data-tone={tone}>
      <Icon />
    </span>
  );
}

/** A state that resolves by itself. */
function IconClock() {
  return <Line path="M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 4.8V8l2.2 1.6" />;
}

function IconQuestion() {
  return <Line path="M5.4 5.6a2.6 2.6 0 1 1 3.9 2.3c-.8.4-1.3.9-1.3 1.7M8 12.4h0" />;
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

const GLYPHS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✕', wait: '…', unknown: '?', off: '–' };

/** A state in a table: sign, text and colour. */
export function Mark({ tone, title }: Words) {
  return (
    <span className="mark" data-tone={tone}>
      <span aria-hidden="true">{GLYPHS[tone]}</span>
      {title}
    </span>
  );
}
