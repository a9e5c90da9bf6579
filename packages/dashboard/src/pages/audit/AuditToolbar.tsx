import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { actorName } from '../../features/people/ActorName.tsx';
import { type AuditEntry, peopleQueries } from '../../features/people/api.ts';
import { useWhere } from '../../features/people/search.ts';
import { dayAfter } from '../../format/calendar.ts';
import { dayIn } from '../../format/time.ts';
import { IconCross } from '../../parts/icons.tsx';
import { PeriodDialog } from '../../parts/PeriodDialog.tsx';
import '../../parts/period.css';
import { FilterSearch } from '../../parts/search/FilterSearch.tsx';
import { FilterSelect, Toolbar } from '../../parts/Toolbar.tsx';
import { daysLabel, ZONE } from './days.ts';
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
    <Toolbar className="audit-toolbar">
      <FilterSelect
        label="What"
        all="All actions"
        value={search.action}
        options={AREAS}
        onChange={(action) => onChange({ action })}
      />
      <FilterSearch
        label="Who"
        all="Everyone"
        plural="people"
        value={search.actor}
        options={[...actors]}
        onChange={(actor) => onChange({ actor })}
      />
      <DaysFilter search={search} onChange={onChange} />
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

/** What the dialog begins with, in days. */
const WEEK = 7;

function DaysFilter({ search: { from, to }, onChange }: Pick<AuditToolbarProps, 'search' | 'onChange'>) {
  const [choosing, setChoosing] = useState(false);
  const today = dayIn(ZONE, Date.now());
  const isSet = from !== undefined || to !== undefined;
  const choose = (days: Pick<AuditChange, 'from' | 'to'>) => {
    onChange(days);
    setChoosing(false);
  };
  // An address may have one of them only.
  const days = { from: from ?? dayAfter(to ?? today, 1 - WEEK), to: to ?? today };
  return (
    <>
      <button
        type="button"
        className="input select filter days-filter"
        aria-haspopup="dialog"
        data-set={isSet}
        onClick={() => setChoosing(true)}
      >
        {daysLabel({ from, to })}
      </button>
      {choosing && (
        <PeriodDialog
          period={days}
          timeZone={ZONE}
          today={today}
          onChoose={(first, last) => choose({ from: first, to: last })}
          {...(isSet ? { onAll: () => choose({ from: undefined, to: undefined }) } : {})}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}
