import type { ReactNode } from 'react';
import type { HitClass } from '../../api/types.ts';
import { CLASS_NAMES } from '../../format/names.ts';

/** One shape per class, so that it can be read without colours: lamp, arrow, square, magnifier, diamond, tick. */
const SHAPES: Readonly<Record<HitClass, ReactNode>> = {
  ai_bot: <circle cx="5" cy="5" r="3.6" fill="currentColor" />,
  ai_referral: (
    <path
      d="M2 8 8 2M3.4 2H8v4.6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  sample: (
    <rect x="2" y="2" width="6" height="6" rx="0.8" fill="none" stroke="currentColor" strokeWidth="1.4" />
  ),
  search_engine: (
    <path
      d="M6.9 4.2a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0ZM6.2 6.2l2.5 2.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
    />
  ),
  event: <path d="M5 1.2 8.8 5 5 8.8 1.2 5z" fill="currentColor" />,
  test: (
    <path
      d="M2 5.4 4.2 7.6 8 2.8"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
};

export function ClassGlyph({ hitClass }: { hitClass: HitClass }) {
  return (
    <svg className="glyph" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      {SHAPES[hitClass]}
    </svg>
  );
}

export function ClassBadge({ hitClass, sdkBot = false }: { hitClass: HitClass; sdkBot?: boolean }) {
  return (
    <span className="badges">
      <span className="badge" data-class={hitClass}>
        <ClassGlyph hitClass={hitClass} />
        {CLASS_NAMES[hitClass] ?? hitClass}
      </span>
      {sdkBot && <span className="tag">bot</span>}
    </span>
  );
}
