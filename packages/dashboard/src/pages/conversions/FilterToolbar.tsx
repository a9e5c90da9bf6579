import { TOPICS } from '@ghostlight/core/conversion';
import { topicName } from '../../features/conversions/topics.ts';
import { visible } from '../../format/visible.ts';
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
        <button
          type="button"
          className="button"
          aria-label={`Campaign ${visible(search.campaign)}: remove this filter`}
          onClick={() => onChange({ campaign: undefined })}
        >
          <span className="chip-text">Campaign: {visible(search.campaign)}</span>
          <IconCross />
        </button>
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
