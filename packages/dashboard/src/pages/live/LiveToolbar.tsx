import type { HitClass } from '../../api/types.ts';
import { VERDICTS } from '../../features/visits/verdict.ts';
import { CLASS_NAMES } from '../../format/names.ts';
import { IconPause, IconPlay } from '../../parts/icons.tsx';
import { SearchField } from '../../parts/list/SearchField.tsx';
import { FilterSelect, Toolbar } from '../../parts/Toolbar.tsx';
import { useSourceName, useSources } from '../../parts/useSources.ts';
import type { LiveFilters, useFilters } from './search.ts';

const VERDICT_NAMES = { verified: '✓ Verified', spoofed: '✕ Spoofed', unknown: '? Unknown' } as const;

interface LiveToolbarProps {
  filters: LiveFilters;
  classes: readonly HitClass[];
  onChange: ReturnType<typeof useFilters>[1];
  paused: boolean;
  waiting: number;
  onToggle: () => void;
}

export function LiveToolbar({ filters, classes, onChange, paused, waiting, onToggle }: LiveToolbarProps) {
  const sourceName = useSourceName();
  const sources = [...useSources().map(({ name }) => name), 'browser'];
  return (
    <Toolbar>
      <SearchField
        label="Filter by path, bot or agent"
        placeholder="Path, bot, agent…"
        value={filters.q ?? ''}
        onText={(q) => onChange({ q })}
      />
      <FilterSelect
        label="Class"
        value={filters.class}
        options={([...classes, 'test'] as const).map((name) => [name, CLASS_NAMES[name]])}
        onChange={(value) => onChange({ class: value })}
      />
      <FilterSelect
        label="Identity"
        value={filters.verdict}
        options={VERDICTS.map((name) => [name, VERDICT_NAMES[name]])}
        onChange={(value) => onChange({ verdict: value })}
      />
      <FilterSelect
        label="Source"
        value={filters.source}
        options={sources.map((name) => [name, sourceName(name)])}
        onChange={(value) => onChange({ source: value })}
      />
      {Object.keys(filters).length > 1 && (
        <button
          type="button"
          className="button button-plain"
          onClick={() => onChange({ class: undefined, verdict: undefined, source: undefined, q: undefined })}
        >
          Clear all
        </button>
      )}
      <button
        type="button"
        className="button live-pause"
        aria-pressed={paused}
        aria-keyshortcuts="Space"
        onClick={onToggle}
      >
        {paused ? <IconPlay /> : <IconPause />}
        {paused ? 'Resume' : 'Pause'}
        {paused && <span className="waiting number">{waiting.toLocaleString('en')} waiting</span>}
      </button>
    </Toolbar>
  );
}
