import { Popover } from 'radix-ui';
import { useState } from 'react';
import { Dialog } from '../Dialog.tsx';
import { FilterSelect, type FilterSelectProps } from '../Toolbar.tsx';
import { OptionSearch } from './OptionSearch.tsx';

/** Shorter lists need no search. */
const SEEN_WHOLE = 9;
/** On phones the keyboard takes half of the screen, so the list opens over the page. */
const PHONE = '(max-width: 760px)';
const ALL = '';

interface FilterSearchProps extends FilterSelectProps<string> {
  /** The plural of the label: `bots`. */
  plural: string;
}

/** A filter with many values, which can be searched. With few values it is a select. */
export function FilterSearch({ plural, ...select }: FilterSearchProps) {
  return select.options.length > SEEN_WHOLE ? (
    <Searched plural={plural} {...select} />
  ) : (
    <FilterSelect {...select} />
  );
}

function Searched({ label, plural, value, options, onChange }: FilterSearchProps) {
  const [open, setOpen] = useState<'at the button' | 'over the page' | null>(null);
  const name = options.find(([one]) => one === value)?.[1] ?? value;
  const search = (
    <OptionSearch
      label={label}
      placeholder={`Search ${plural}…`}
      options={[{ value: ALL, text: 'All' }, ...options.map(([one, text]) => ({ value: one, text }))]}
      chosen={value ?? ALL}
      onChoose={(option) => {
        setOpen(null);
        onChange(option.value === ALL ? undefined : option.value);
      }}
    />
  );
  return (
    <Popover.Root
      open={open === 'at the button'}
      onOpenChange={(opens) =>
        setOpen(!opens ? null : window.matchMedia(PHONE).matches ? 'over the page' : 'at the button')
      }
    >
      <Popover.Trigger
        className="input select filter filter-search"
        aria-label={`${label}: ${name ?? 'all'}`}
        data-set={value !== undefined}
      >
        {name ?? `${label}: all`}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="option-popover"
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label={label}
        >
          {search}
        </Popover.Content>
      </Popover.Portal>
      {open === 'over the page' && (
        <Dialog title={label} onClose={() => setOpen(null)}>
          {search}
        </Dialog>
      )}
    </Popover.Root>
  );
}
