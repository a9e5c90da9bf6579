import { useState } from 'react';
import { IconCross } from '../../../parts/icons.tsx';
import { ChoicePopover } from '../../../parts/search/ChoicePopover.tsx';
import { useSourceName } from '../../../parts/useSources.ts';
import { DEFINITIONS, valueText } from './definitions.ts';
import { FilterValues, type FilterValuesProps } from './FilterValues.tsx';

interface FilterChipProps extends Omit<FilterValuesProps, 'onChoose'> {
  value: string;
  /** undefined: removes the filter. */
  onChange: (value: string | undefined) => void;
}

/** A filter that is set: a click changes its value, the cross or the Delete key removes it. */
export function FilterChip({ propertyId, name, value, query, onChange }: FilterChipProps) {
  const [open, setOpen] = useState(false);
  const sourceName = useSourceName();
  const { label, verb } = DEFINITIONS[name];
  // Its sign would be next to the cross that removes it.
  const text = valueText(name, value, sourceName).replaceAll(/[✓✕?] /g, '');
  return (
    <span className="chip" data-open={open}>
      <ChoicePopover
        label={label}
        open={open}
        onOpen={setOpen}
        trigger={
          <button
            type="button"
            className="chip-value"
            aria-label={`${label} ${verb} ${text}: change`}
            onKeyDown={(event) => {
              if (event.key !== 'Delete' && event.key !== 'Backspace') return;
              event.preventDefault();
              onChange(undefined);
            }}
          >
            <span className="chip-name">
              {label} {verb}
            </span>{' '}
            <span className="chip-text">{text}</span>
          </button>
        }
      >
        <FilterValues
          {...{ propertyId, name, value, query }}
          onChoose={(chosen) => {
            setOpen(false);
            onChange(chosen === '' ? undefined : chosen);
          }}
        />
      </ChoicePopover>
      <RemoveChip what={`${label} ${verb} ${text}`} onRemove={() => onChange(undefined)} />
    </span>
  );
}

export function RemoveChip({ what, onRemove }: { what: string; onRemove: () => void }) {
  return (
    <button type="button" className="chip-remove" aria-label={`${what}: remove`} onClick={onRemove}>
      <IconCross />
    </button>
  );
}
