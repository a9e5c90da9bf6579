import { TOPICS } from '@ghostlight/core/conversion';
import { useEffect, useRef, useState } from 'react';
import { useKeyPress } from '../../app/shortcuts.ts';
import { FilterSelect } from '../../live/FilterSelect.tsx';
import { IconCross, IconSearch } from '../../parts/icons.tsx';
import { topicName } from '../../webhooks/topics.ts';
import { isFiltered } from '../model/period.ts';
import type { ConversionSearch, SearchChange } from '../search.ts';
import { CHANNEL_NAMES } from '../words.ts';

/** A pause in typing, after which the service is asked. */
const PAUSE_MS = 300;

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
    <div className="toolbar" role="toolbar" aria-label="Filters">
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
      <FilterSelect
        label="Channel"
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
    </div>
  );
}

/** Shows each letter at once, and tells of them after a pause: every change is a question to the service. */
function useSlowText(value: string, onText: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const latest = useRef(onText);
  latest.current = onText;
  // "Clear" and the browser's back button change the address under the field.
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => latest.current(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return [text, setText];
}
