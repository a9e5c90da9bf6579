interface FiltersButtonProps {
  /** Of the toolbar that it opens. */
  id: string;
  /** Filters that are set. */
  count: number;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

/** On a phone, opens the filters that are not set; elsewhere all of them are there, and this is not. */
export function FiltersButton({ id, count, isOpen, onOpen }: FiltersButtonProps) {
  return (
    <button
      type="button"
      className="button filters-button"
      aria-expanded={isOpen}
      aria-controls={id}
      onClick={() => onOpen(!isOpen)}
    >
      Filters{count > 0 && ` (${count})`}
    </button>
  );
}
