import { IconKeyboard, IconSearch } from '../parts/icons.tsx';
import { COMMAND_KEY } from '../parts/shortcuts.ts';

interface RailToolsProps {
  onSearch: () => void;
  /** Absent: the pages have no keys of their own. */
  onHelp?: () => void;
}

/** Above the person, on every page: the command palette and the list of keys. */
export function RailTools({ onSearch, onHelp }: RailToolsProps) {
  return (
    <div className="rail-tools">
      <button
        type="button"
        className="rail-link"
        aria-haspopup="dialog"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={onSearch}
      >
        <IconSearch />
        <span>Search</span>
        <span className="kbd rail-keys" aria-hidden="true">
          {COMMAND_KEY} K
        </span>
      </button>
      {onHelp !== undefined && (
        <button
          type="button"
          className="icon-button"
          aria-label="Shortcuts"
          aria-keyshortcuts="?"
          title="Keyboard shortcuts (?)"
          onClick={onHelp}
        >
          <IconKeyboard />
        </button>
      )}
    </div>
  );
}
