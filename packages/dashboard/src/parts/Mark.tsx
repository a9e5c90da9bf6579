import type { Tone, Words } from './Sign.tsx';

const GLYPHS: Readonly<Record<Tone, string>> = { good: '✓', bad: '✕', wait: '…', unknown: '?', off: '–' };

/** A state in a table: sign, word and colour. */
export function Mark({ tone, title }: Words) {
  return (
    <span className="mark" data-tone={tone}>
      <span aria-hidden="true">{GLYPHS[tone]}</span>
      {title}
    </span>
  );
}
