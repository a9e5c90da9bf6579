import { useState } from 'react';
import { readablePath } from '../../format/visible.ts';
import { SearchField } from '../../parts/list/SearchField.tsx';
import { ChoicePopover } from '../../parts/search/ChoicePopover.tsx';

interface PathFilterProps {
  /** As it is being typed; empty: every path. */
  path: string;
  onPath: (path: string) => void;
}

/** The path as one filter of several: beside a search for bots, a second field would look like another search. */
export function PathFilter({ path, onPath }: PathFilterProps) {
  const [open, setOpen] = useState(false);
  const name = path === '' ? 'all' : `${readablePath(path)}…`;
  return (
    <ChoicePopover
      label="Path"
      open={open}
      onOpen={setOpen}
      trigger={
        <button
          type="button"
          className="input select filter filter-search"
          aria-label={`Path: ${name}`}
          data-set={path !== ''}
        >
          {path === '' ? 'Path: all' : name}
        </button>
      }
    >
      <form
        className="option-search"
        onSubmit={(event) => {
          event.preventDefault();
          setOpen(false);
        }}
      >
        <SearchField
          label="Path begins with"
          placeholder="Path begins with…"
          value={path}
          onText={onPath}
          isSecond
        />
      </form>
    </ChoicePopover>
  );
}
