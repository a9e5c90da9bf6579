import { useQuery } from '@tanstack/react-query';
import { actorName } from '../../features/people/ActorName.tsx';
import { type AuditEntry, peopleQueries } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { IconCross } from '../../parts/icons.tsx';
import { FilterSearch } from '../../parts/search/FilterSearch.tsx';
import { FilterSelect, Toolbar } from '../../parts/Toolbar.tsx';
import type { AuditChange, AuditSearch } from './search.ts';
import { AREAS } from './sentences.ts';

interface AuditToolbarProps {
  search: AuditSearch;
  entries: readonly AuditEntry[];
  /** The number of entries, as text. */
  count: string;
  onChange: (change: AuditChange) => void;
  /** Null when no filter is set. */
  onClear: (() => void) | null;
}

export function AuditToolbar({ search, entries, count, onChange, onClear }: AuditToolbarProps) {
  const members = useQuery(peopleQueries.members(useWhere())).data ?? [];
  const actors = new Map<string, string>(members.map(({ person_id, name }) => [`person:${person_id}`, name]));
  // Sessions of the admin token, API tokens and former members are chosen by clicking a row.
  for (const { actor, actor_name } of entries)
    if (!actors.has(actor)) actors.set(actor, actorName(actor, actor_name));
  if (search.actor !== undefined && !actors.has(search.actor))
    actors.set(search.actor, actorName(search.actor, null));
  return (
    <Toolbar>
      <FilterSelect
        label="What"
        value={search.action}
        options={AREAS}
        onChange={(action) => onChange({ action })}
      />
      <FilterSearch
        label="Who"
        plural="people"
        value={search.actor}
        options={[...actors]}
        onChange={(actor) => onChange({ actor })}
      />
      <DayField label="From" value={search.from} onChange={(from) => onChange({ from })} />
      <DayField label="To" value={search.to} onChange={(to) => onChange({ to })} />
      {onClear !== null && (
        <button type="button" className="button button-plain" onClick={onClear}>
          <IconCross />
          Clear
        </button>
      )}
      <span className="toolbar-count number" role="status">
        {count}
      </span>
    </Toolbar>
  );
}

interface DayFieldProps {
  label: string;
  value: string | undefined;
  onChange: (day: string | undefined) => void;
}

/** A UTC day, as the log's filters count. */
function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <label className="day-field">
      <span>{label}</span>
      <input
        type="date"
        className="input"
        data-set={value !== undefined}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
      />
    </label>
  );
}
