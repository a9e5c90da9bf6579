import { type ReactNode, useState } from 'react';
import { FilterSelect, type FilterSelectProps } from '../Toolbar.tsx';
import { ChoicePopover } from './ChoicePopover.tsx';
import { OptionSearch } from './OptionSearch.tsx';

const COUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const countOf = (visits: number): string => COUNT.format(visits);

/** Shorter lists need no search. */
const SEEN_WHOLE = 9;
const ALL = '';

interface FilterSearchProps extends FilterSelectProps<string> {
  /** The plural of the label: `bots`. */
  plural: string;
  /** How many visits each value has, where that is known. */
  counts?: ReadonlyMap<string, number> | undefined;
  /** Before the name of a value. */
  iconOf?: ((value: string) => ReactNode) | undefined;
}

/** A filter with many values, which can be searched. With few values it is a select. */
export function FilterSearch({ plural, counts, iconOf, ...select }: FilterSearchProps) {
  return select.options.length > SEEN_WHOLE ? (
    <Searched {...{ plural, counts, iconOf }} {...select} />
  ) : (
    <FilterSelect {...select} />
  );
}

function Searched({
  label,
  all = `${label}: all`,
  plural,
  counts,
  iconOf = () => null,
  value,
  options,
  onChange,
}: FilterSearchProps) {
  const [open, setOpen] = useState(false);
  const total = options.reduce((sum, [one]) => sum + (counts?.get(one) ?? 0), 0);
  const name = options.find(([one]) => one === value)?.[1] ?? value;
  return (
    <ChoicePopover
      label={label}
      open={open}
      onOpen={setOpen}
      trigger={
        <button
          type="button"
          className="input select filter filter-search"
          aria-label={`${label}: ${name ?? 'all'}`}
          data-set={value !== undefined}
        >
          {name ?? all}
        </button>
      }
    >
      <OptionSearch
        label={label}
        placeholder={`Search ${plural}…`}
        unit="Visits"
        options={[
          { value: ALL, text: 'All', icon: iconOf(ALL), figure: total > 0 ? countOf(total) : undefined },
          ...options.map(([one, text]) => ({
            value: one,
            text,
            icon: iconOf(one),
            figure: counts?.has(one) ? countOf(counts.get(one) ?? 0) : undefined,
          })),
        ]}
        chosen={value ?? ALL}
        onChoose={(option) => {
          setOpen(false);
          onChange(option.value === ALL ? undefined : option.value);
        }}
      />
    </ChoicePopover>
  );
}
