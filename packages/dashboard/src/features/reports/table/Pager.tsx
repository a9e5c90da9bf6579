import type { Paged } from '../api.ts';

interface PagerProps {
  /** Of the list: `Bots`. */
  label: string;
  answer: Pick<Paged<unknown>, 'total' | 'page_number' | 'limit' | 'items'>;
  onPage: (page: number) => void;
}

/** Fewer rows are seen at a glance. */
const COUNTED = 25;

export function Pager({ label, answer: { total, page_number: page, limit, items }, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / limit));
  const first = (page - 1) * limit + 1;
  if (pages === 1 && total < COUNTED) return null;
  return (
    <nav className="pager" aria-label={`${label}: pages of the list`}>
      <span className="quiet number" role="status">
        {pages === 1
          ? `${total.toLocaleString('en')} ${total === 1 ? 'row' : 'rows'}`
          : `${first.toLocaleString('en')}–${(first + items.length - 1).toLocaleString('en')} of ${total.toLocaleString('en')}`}
      </span>
      {pages > 1 && (
        <span className="pager-buttons">
          <button
            type="button"
            className="button button-small"
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          >
            Previous
          </button>
          <button
            type="button"
            className="button button-small"
            disabled={page >= pages}
            onClick={() => onPage(page + 1)}
          >
            Next
          </button>
        </span>
      )}
    </nav>
  );
}
