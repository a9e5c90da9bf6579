import {
  VISIT_FILTERS,
  type VisitChange,
  type VisitFilterName,
  type VisitSearch,
} from '../../../features/visits/search.ts';
import { SearchField, useSlowText } from '../../../parts/list/SearchField.tsx';
import { useTimeZone } from '../../../parts/Time.tsx';
import { Toolbar } from '../../../parts/Toolbar.tsx';
import { timeSpan } from '../times.ts';
import { AddFilter } from './AddFilter.tsx';
import { FilterChip, RemoveChip } from './FilterChip.tsx';

interface VisitFilterBarProps {
  propertyId: string;
  search: VisitSearch;
  query: Readonly<Record<string, string>>;
  onChange: (change: VisitChange) => void;
}

export const CLEARED: VisitChange = {
  ...(Object.fromEntries(VISIT_FILTERS.map((name) => [name, undefined])) as Record<
    VisitFilterName,
    undefined
  >),
  since: undefined,
  until: undefined,
};

/** How many filters are set; a time is one. */
const setCount = (search: VisitSearch): number =>
  VISIT_FILTERS.filter((name) => search[name] !== undefined).length +
  (search.since === undefined && search.until === undefined ? 0 : 1);

/** A text field for the path, and a chip for each filter that is set. */
export function VisitFilterBar({ propertyId, search, query, onChange }: VisitFilterBarProps) {
  const timeZone = useTimeZone() ?? 'UTC';
  const [path, setPath] = useSlowText(search.path_contains ?? '', (text) =>
    onChange({ path_contains: text === '' ? undefined : text }),
  );
  const { since, until } = search;
  const time = since === undefined && until === undefined ? null : timeSpan({ since, until }, timeZone);
  return (
    <Toolbar className="visit-filters">
      <SearchField label="Path contains" placeholder="Path contains…" value={path} onText={setPath} />
      {time !== null && (
        <span className="chip">
          <span className="chip-value">
            <span className="chip-name">Time</span> <span className="chip-text">{time}</span>
          </span>
          <RemoveChip
            what={`Time ${time}`}
            onRemove={() => onChange({ since: undefined, until: undefined })}
          />
        </span>
      )}
      {VISIT_FILTERS.map((name) => {
        const value = search[name];
        // The field shows it already.
        if (value === undefined || name === 'path_contains') return null;
        return (
          <FilterChip
            key={name}
            {...{ propertyId, name, value, query }}
            onChange={(next) => onChange({ [name]: next })}
          />
        );
      })}
      <AddFilter {...{ propertyId, query }} onAdd={(name, value) => onChange({ [name]: value })} />
      {/* One filter has its own cross, and the field its own clearing. */}
      {setCount(search) > 1 && (
        <button type="button" className="button button-plain" onClick={() => onChange(CLEARED)}>
          Clear all
        </button>
      )}
    </Toolbar>
  );
}
