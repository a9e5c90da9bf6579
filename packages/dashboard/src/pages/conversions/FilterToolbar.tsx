import { TOPICS } from '@ghostlight/core/conversion';
import { topicName } from '../../features/conversions/topics.ts';
import { readablePath, visible } from '../../format/visible.ts';
import { IconCross } from '../../parts/icons.tsx';
import { SearchField, useSlowText } from '../../parts/list/SearchField.tsx';
import { FilterSearch } from '../../parts/search/FilterSearch.tsx';
import { FilterSelect, Toolbar } from '../../parts/Toolbar.tsx';
import { CHANNEL_NAMES } from './messages.ts';
import { type ConversionSearch, isFiltered, type SearchChange } from './search.ts';

interface FilterToolbarProps {
  /** Of the toolbar, for the button that opens it on a phone. */
  id: string;
  isOpen: boolean;
  search: ConversionSearch;
  /** AI engines of the period, by name. */
  engines: readonly string[];
  onChange: (change: SearchChange) => void;
  onClear: () => void;
}

/** The filters of the page, which totals, chart and list follow. */
export function FilterToolbar({ id, isOpen, search, engines, onChange, onClear }: FilterToolbarProps) {
  const landing = `${visible(search.landing_host ?? '')}${readablePath(search.landing_path ?? '')}`;
  // A link may name a maker of several engines, by its key.
  const known = search.engine === undefined || engines.includes(search.engine);
  const [text, setText] = useSlowText(search.q ?? '', (q) => onChange({ q }));
  return (
    <Toolbar id={id} className="report-filters" isOpen={isOpen}>
      <SearchField
        label="Search by conversion ID or visitor ID"
        placeholder="Search by ID…"
        value={text}
        onText={setText}
      />
      <FilterSelect
        label="Type"
        value={search.topic}
        options={TOPICS.map((name) => [name, topicName(name)])}
        onChange={(topic) => onChange({ topic })}
      />
      <FilterSelect
        label="Match"
        value={search.matched}
        options={[
          ['yes', '✓ Matched'],
          ['no', '? Not matched'],
        ]}
        onChange={(matched) => onChange({ matched })}
      />
      <FilterSearch
        label="Channel"
        plural="channels"
        value={search.channel}
        options={CHANNEL_NAMES}
        onChange={(channel) => onChange({ channel })}
      />
      {(engines.length > 0 || search.engine !== undefined) && (
        <FilterSearch
          label="AI engine"
          plural="engines"
          value={search.engine}
          options={[...engines, ...(known ? [] : [search.engine ?? ''])].map((name) => [name, visible(name)])}
          onChange={(engine) => onChange({ engine })}
        />
      )}
      {search.source !== undefined && (
        <Chip
          label="Source"
          value={visible(search.source)}
          onRemove={() => onChange({ source: undefined })}
        />
      )}
      {search.campaign !== undefined && (
        <Chip
          label="Campaign"
          value={visible(search.campaign)}
          onRemove={() => onChange({ campaign: undefined })}
        />
      )}
      {landing !== '' && (
        <Chip
          label="Landed on"
          value={landing}
          onRemove={() => onChange({ landing_path: undefined, landing_host: undefined })}
        />
      )}
      {isFiltered(search) && (
        <button type="button" className="button button-plain" onClick={onClear}>
          <IconCross />
          Clear
        </button>
      )}
    </Toolbar>
  );
}

interface ChipProps {
  label: string;
  value: string;
  onRemove: () => void;
}

/** A filter that links set, and that is only removed here. */
function Chip({ label, value, onRemove }: ChipProps) {
  return (
    <button
      type="button"
      className="button"
      aria-label={`${label} ${value}: remove this filter`}
      onClick={onRemove}
    >
      <span className="chip-text">
        {label}: {value}
      </span>
      <IconCross />
    </button>
  );
}
