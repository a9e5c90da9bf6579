import { TOPICS } from '@ghostlight/core/conversion';
import type { ReactNode } from 'react';
import { topicName } from '../../../features/conversions/topics.ts';
import type { StatusFilter } from '../../../features/deliveries/api.ts';
import { skipName, statusWords } from '../../../features/deliveries/messages.ts';
import { percentOf } from '../../../features/deliveries/rate.ts';
import { StateMark } from '../../../features/deliveries/StateMark.tsx';
import type { Sums } from '../../../features/deliveries/sums.ts';
import type { Destination, Platform } from '../../../features/destinations/api.ts';
import { RequirePermission } from '../../../features/session/RequirePermission.tsx';
import { IconCross } from '../../../parts/icons.tsx';
import { SearchField, useSlowText } from '../../../parts/list/SearchField.tsx';
import { FilterSearch } from '../../../parts/search/FilterSearch.tsx';
import { FilterSelect, Toolbar } from '../../../parts/Toolbar.tsx';
import { finishedOf } from '../model/counts.ts';
import { type DeliveryChange, type DeliverySearch, isFiltered, STATUS_FILTERS } from '../search.ts';

interface ListToolbarProps {
  /** Links to the views of the page. */
  views: ReactNode;
  search: DeliverySearch;
  destinations: readonly Destination[];
  platforms: readonly Platform[];
  onChange: (change: DeliveryChange) => void;
  onClear: () => void;
  /** The number of deliveries, as text. */
  count: string;
  /** Of the toolbar, for the button that opens it on a phone. */
  id: string;
  isOpen: boolean;
}

export function ListToolbar({
  views,
  search,
  destinations,
  platforms,
  onChange,
  onClear,
  count,
  id,
  isOpen,
}: ListToolbarProps) {
  const [text, setText] = useSlowText(search.q ?? '', (q) => onChange({ q }));
  const { reason } = search;
  return (
    <Toolbar id={id} className="report-filters" isOpen={isOpen}>
      {views}
      <SearchField
        label="Search by conversion ID"
        placeholder="Conversion ID…"
        value={text}
        onText={setText}
      />
      <FilterSelect
        label="State"
        value={search.status}
        options={STATUS_FILTERS.map((name) => [name, statusWords(name).title])}
        onChange={(status) => onChange({ status, reason: undefined })}
      />
      <FilterSearch
        label="Destination"
        plural="destinations"
        value={search.destination}
        options={withChosen(
          destinations.map(({ id, name }) => [id, name]),
          search.destination,
          'Deleted destination',
        )}
        onChange={(destination) => onChange({ destination })}
      />
      {(search.platform !== undefined || hasTwice(destinations)) && (
        <FilterSearch
          label="Platform"
          plural="platforms"
          value={search.platform}
          options={withChosen(
            platforms.map(({ platform, title }) => [platform, title]),
            search.platform,
            search.platform ?? '',
          )}
          onChange={(platform) => onChange({ platform })}
        />
      )}
      <FilterSelect
        label="Type"
        value={search.topic}
        options={TOPICS.map((name) => [name, topicName(name)])}
        onChange={(topic) => onChange({ topic })}
      />
      {reason !== undefined && (
        <button
          type="button"
          className="button"
          aria-label={`Reason ${skipName(reason)}: remove this filter`}
          onClick={() => onChange({ reason: undefined })}
        >
          <span className="chip-text">{skipName(reason)}</span>
          <IconCross />
        </button>
      )}
      {isFiltered(search) && (
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

/** Whether a platform has several destinations. Without that, it is the filter of its destination once more. */
const hasTwice = (destinations: readonly Destination[]): boolean =>
  new Set(destinations.map(({ platform }) => platform)).size < destinations.length;

/** Adds the option that the address names, if it is no longer offered. */
function withChosen(
  options: readonly (readonly [string, string])[],
  chosen: string | undefined,
  name: string,
): readonly (readonly [string, string])[] {
  return chosen === undefined || options.some(([value]) => value === chosen)
    ? options
    : [...options, [chosen, name]];
}

interface StatusStripProps {
  sums: Sums;
  status: StatusFilter | undefined;
  onChoose: (status: StatusFilter | undefined) => void;
  onSendAgain: () => void;
}

/** The states of the period with their counts, each with what it counts; clicking one filters by it. */
export function StatusStrip({ sums, status, onChoose, onSendAgain }: StatusStripProps) {
  const finished = finishedOf(sums);
  const rate = finished === 0 ? null : percentOf(String(sums.delivered / finished));
  const entries: readonly (readonly [StatusFilter, number, about: string])[] = [
    ['delivered', sums.delivered, rate === null ? '' : `${rate} of finished`],
    ['dead', sums.dead, 'rejected or out of retries'],
    ['unknown', sums.unknown, 'no response'],
    ['waiting', sums.waiting, 'queued or retrying'],
    ['accepted_async', sums.accepted, 'result pending'],
    ['skipped', sums.skipped, 'consent, age or platform'],
  ];
  return (
    <ul className="status-strip card" aria-label="Filter by state">
      {entries
        .filter(([name, count]) => count > 0 || name === 'delivered' || name === 'dead')
        .map(([name, count, about]) => (
          <li key={name}>
            <button
              type="button"
              className="status-chip"
              aria-pressed={status === name}
              onClick={() => onChoose(status === name ? undefined : name)}
            >
              <StateMark status={name} />
              <span className="number">{count.toLocaleString('en')}</span>
              <span className="status-about">{about}</span>
            </button>
            {name === 'dead' && count > 0 && (
              <RequirePermission>
                <button type="button" className="button button-small status-act" onClick={onSendAgain}>
                  Send {count.toLocaleString('en')} again…
                </button>
              </RequirePermission>
            )}
          </li>
        ))}
    </ul>
  );
}
