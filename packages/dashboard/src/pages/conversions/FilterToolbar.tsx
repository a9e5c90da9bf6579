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
  search: ConversionSearch;
  onChange: (change: SearchChange) => void;
  onClear: () => void;
}

/** The filters of the page: totals, chart and list follow them. */
export function FilterToolbar({ search, onChange, onClear }: FilterToolbarProps) {
  const landing = `${visible(search.landing_host ?? '')}${readablePath(search.landing_path ?? '')}`;
  const [text, setText] = useSlowText(search.q ?? '', (q) => onChange({ q }));
  return (
    <Toolbar>
      <SearchField
        label="Search by conversion id or visitor id"
        placeholder="Conversion or visitor id…"
        value={text}
        onText={setText}
      />
      <FilterSelect
        label="Topic"
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
