import { useEffect } from 'react';
import { IconChevronDown, IconChevronUp } from '../icons.tsx';

interface RowStepsProps {
  /** What a row is: `visit`. */
  what: string;
  /** The rows of the list, in its order. */
  ids: readonly string[];
  /** The row whose details are shown. */
  open: string;
  onOpen: (id: string) => void;
}

/** From the details of a row to those of its neighbours; nothing where the list hasn't the row. In the list, `j` and `k` do the same. */
export function RowSteps({ what, ids, open, onOpen }: RowStepsProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list shows the row that is open now
  useEffect(() => {
    document.querySelector('.row-open[aria-expanded="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  const at = ids.indexOf(open);
  if (at === -1) return null;
  const steps = [
    { name: 'Previous', key: 'K', id: ids[at - 1], icon: <IconChevronUp /> },
    { name: 'Next', key: 'J', id: ids[at + 1], icon: <IconChevronDown /> },
  ];
  return steps.map(({ name, key, id, icon }) => (
    <button
      key={key}
      type="button"
      className="icon-button"
      aria-label={`${name} ${what}`}
      aria-keyshortcuts={key.toLowerCase()}
      title={`${name} ${what} (${key})`}
      disabled={id === undefined}
      onClick={() => id !== undefined && onOpen(id)}
    >
      {icon}
    </button>
  ));
}
