/** As long as a page takes to make room for the details of a row, or to take the room back. */
const HOLD_MS = 600;

/** The row whose details are open. */
export const openRow = (): Element | null => document.querySelector('tr[data-open="true"]');

/**
 * Keeps a row where it is in the window while its details open or close beside the list: what is above it gets narrower, and so higher.
 * @param row null: none, and nothing is kept
 */
export function holdRow(row: Element | null): void {
  const page = row?.closest('.live-main');
  if (!row || !page) return;
  const { top } = row.getBoundingClientRect();
  const observer = new ResizeObserver(() => {
    const moved = row.getBoundingClientRect().top - top;
    if (row.isConnected && Math.abs(moved) > 1) window.scrollBy({ top: moved, behavior: 'instant' });
  });
  observer.observe(page);
  setTimeout(() => observer.disconnect(), HOLD_MS);
}
