import type { VisitChange } from '../../../features/visits/search.ts';

interface VisitPagerProps {
  answer: { readonly previous: string | null; readonly next: string | null };
  isNewestFirst: boolean;
  onTurn: (change: VisitChange) => void;
}

/** Steps through visits of any number: each page knows the ones beside it. */
export function VisitPager({ answer: { previous, next }, isNewestFirst, onTurn }: VisitPagerProps) {
  const [back, forth, first] = isNewestFirst ? ['Newer', 'Older', 'Newest'] : ['Older', 'Newer', 'Oldest'];
  return (
    <nav className="pager" aria-label="Pages of visits">
      <button
        type="button"
        className="button button-small button-plain"
        disabled={previous === null}
        onClick={() => onTurn({ after: undefined, before: undefined })}
      >
        {first}
      </button>
      <span className="pager-buttons">
        <button
          type="button"
          className="button button-small"
          disabled={previous === null}
          onClick={() => previous !== null && onTurn({ before: previous, after: undefined })}
        >
          {back}
        </button>
        <button
          type="button"
          className="button button-small"
          disabled={next === null}
          onClick={() => next !== null && onTurn({ after: next, before: undefined })}
        >
          {forth}
        </button>
      </span>
    </nav>
  );
}
