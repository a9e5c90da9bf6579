import { markOf } from './marks.ts';
import './marks.css';

interface CompanyMarkProps {
  /** A vendor, an AI engine, or a platform. */
  of: string;
  size?: 18 | 22 | 24 | 36;
}

/** Decorative: the name is beside it, so its letters are no text of the page. */
export function CompanyMark({ of, size = 18 }: CompanyMarkProps) {
  const { letters, tint } = markOf(of);
  return (
    <span
      className="company-mark"
      data-letters={letters}
      data-tint={tint}
      data-size={size}
      aria-hidden="true"
    />
  );
}
