import { useState } from 'react';
import { VISIT_FILTERS, type VisitFilterName } from '../../../features/visits/search.ts';
import { IconPlus } from '../../../parts/icons.tsx';
import { ChoicePopover } from '../../../parts/search/ChoicePopover.tsx';
import { OptionSearch } from '../../../parts/search/OptionSearch.tsx';
import { useKeyPress } from '../../../parts/shortcuts.ts';
import { DEFINITIONS } from './definitions.ts';
import { FilterValues } from './FilterValues.tsx';

interface AddFilterProps {
  propertyId: string;
  query: Readonly<Record<string, string>>;
  onAdd: (name: VisitFilterName, value: string) => void;
}

/** A new filter: first which, then its value. `f` opens it. */
export function AddFilter({ propertyId, query, onAdd }: AddFilterProps) {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState<VisitFilterName | null>(null);
  const show = (opens: boolean) => {
    setOpen(opens);
    setName(null);
  };
  useKeyPress((event) => {
    if (event.key !== 'f') return;
    event.preventDefault();
    show(true);
  });
  const offered = VISIT_FILTERS.filter((one) => query[one] === undefined && !DEFINITIONS[one].isHidden);
  return (
    <ChoicePopover
      label={name === null ? 'Filter by' : DEFINITIONS[name].label}
      open={open}
      onOpen={show}
      trigger={
        <button type="button" className="button" aria-keyshortcuts="f" title="Add a filter (F)">
          <IconPlus />
          Filter
        </button>
      }
    >
      {name === null ? (
        <OptionSearch
          label="Filters"
          placeholder="Filter by…"
          options={offered.map((one) => ({
            value: one,
            text: DEFINITIONS[one].label,
            detail: DEFINITIONS[one].verb === 'is' ? '' : DEFINITIONS[one].verb,
          }))}
          onChoose={({ value }) => setName(value)}
        />
      ) : (
        <FilterValues
          {...{ propertyId, name, query }}
          value={undefined}
          onChoose={(value) => {
            show(false);
            if (value !== '') onAdd(name, value);
          }}
        />
      )}
    </ChoicePopover>
  );
}
