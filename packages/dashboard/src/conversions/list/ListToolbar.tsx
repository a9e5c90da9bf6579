import { TOPICS } from '@ghostlight/core/conversion';
import { useRef } from 'react';
import { useKeyPress } from '../../app/shortcuts.ts';
import { FilterSelect } from '../../parts/FilterSelect.tsx';
import { IconCross, IconSearch } from '../../parts/icons.tsx';
import { FilterSearch } from '../../parts/search/FilterSearch.tsx';
import { Toolbar } from '../../parts/Toolbar.tsx';
import { useSlowText } from '../../parts/useSlowText.ts';
import { topicName } from '../../webhooks/topics.ts';
import { isFiltered } from '../model/list-query.ts';
import type { ConversionSearch, SearchChange } from '../search.ts';
import { CHANNEL_NAMES } from '../words.ts';

interface ListToolbarProps {
  search: ConversionSearch;
  onChange: (change: SearchChange) => void;
  onClear: () => void;
  /** What the list shows, in words. */
  count: string;
}

export function ListToolbar({ search, onChange, onClear, count }: ListToolbarProps) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useSlowText(search.q ?? '', (q) => onChange({ q }));
  useKeyPress((event) => {
    if (event.key !== '/') return;
    event.preventDefault();
    input.current?.focus();
  });
  return (
    <Toolbar>
      <div className="search">
        <IconSearch />
        <input
          ref={input}
          type="search"
          className="input"
          aria-label="Search by conversion id or visitor id"
          aria-keyshortcuts="/"
          placeholder="Conversion or visitor id…"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <span className="kbd" aria-hidden="true">
          /
        </span>
      </div>
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
          aria-label={`Campaign ${search.campaign}: remove this filter`}
          onClick={() => onChange({ campaign: undefined })}
        >
          <span className="chip-text">Campaign: {search.campaign}</span>
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
