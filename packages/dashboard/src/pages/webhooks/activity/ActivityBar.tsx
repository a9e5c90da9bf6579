import { IconCross, IconPause, IconPlay } from '../../../parts/icons.tsx';
import { SearchField } from '../../../parts/list/SearchField.tsx';
import { FilterSelect, Toolbar } from '../../../parts/Toolbar.tsx';
import { MATCHES, STATUSES, type WebhooksChange } from '../search.ts';
import { statusWords } from './StatusMark.tsx';

/** As the column has them: what was received is matched or not, all else was refused. */
const RESULTS = [
  ['yes', 'Matched'],
  ['no', 'Unmatched'],
  ...STATUSES.map((name) => [name, statusWords(name).title] as const),
] as const;

interface ActivityBarProps {
  filters: WebhooksChange;
  isFiltered: boolean;
  /** Whether the list follows what arrives. */
  state: 'polling' | 'paused' | 'lost';
  /** Requests that the filters leave, of how many; null: not loaded. */
  count: { readonly shown: number; readonly of: number } | null;
  onChange: (change: WebhooksChange) => void;
  onClear: () => void;
  onPause: () => void;
}

/** The filters of recent activity, and whether it follows what arrives. */
export function ActivityBar({
  filters,
  isFiltered,
  state,
  count,
  onChange,
  onClear,
  onPause,
}: ActivityBarProps) {
  const isPaused = state === 'paused';
  const what =
    isFiltered && count !== null ? `${count.shown} of the last ${count.of}` : 'The last 20 requests';
  return (
    <Toolbar>
      <SearchField
        label="Search by conversion ID"
        placeholder="Search by conversion ID"
        value={filters.q ?? ''}
        onText={(q) => onChange({ q })}
      />
      <FilterSelect
        label="Result"
        value={filters.matched ?? filters.status}
        options={RESULTS}
        onChange={(result) => {
          const matched = MATCHES.find((name) => name === result);
          const status = STATUSES.find((name) => name === result);
          onChange({ matched, status });
        }}
      />
      {isFiltered && (
        <button type="button" className="button button-plain" onClick={onClear}>
          <IconCross />
          Clear
        </button>
      )}
      <span className="toolbar-count connection" role="status" data-state={state}>
        <span className="connection-lamp" aria-hidden="true" />
        {state === 'lost' ? 'Service unreachable; retrying' : `${what}, ${isPaused ? 'paused' : 'live'}`}
      </span>
      <button type="button" className="button" aria-pressed={isPaused} onClick={onPause}>
        {isPaused ? <IconPlay /> : <IconPause />}
        {isPaused ? 'Resume' : 'Pause'}
      </button>
    </Toolbar>
  );
}
