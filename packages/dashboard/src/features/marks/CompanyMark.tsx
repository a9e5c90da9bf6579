import { markOf } from './marks.ts';
import './marks.css';

interface CompanyMarkProps {
  /** A vendor, an AI engine, a platform or a log source. */
  of: string;
  size?: 18 | 22 | 24 | 36;
}

/** Decorative: the name is beside it, so its letters are no text of the page. */
export function CompanyMark({ of, size = 18 }: CompanyMarkProps) {
  const { letters, logo } = markOf(of);
  return (
    <span
      className="company-mark"
      data-letters={logo === null ? letters : undefined}
      data-size={size}
      aria-hidden="true"
    >
      {logo !== null && (
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <use href={logo} />
        </svg>
      )}
    </span>
  );
}
