import type { ListSource } from '../api/types.ts';
import { counted } from '../format/names.ts';
import { IconWarning } from '../parts/icons.tsx';
import { Time } from '../parts/Time.tsx';

const KIND_UNITS: Readonly<Record<ListSource['kind'], string>> = { ranges: 'range', keys: 'key' };

export function ListSourceRow({ source }: { source: ListSource }) {
  const { url, kind, entries, fetched_at, error } = source;
  return (
    <li>
      <p className="list-source-head">
        <strong>{source.source}</strong>
        {/* Of the copy that came with the code the service tells no count per source. */}
        {fetched_at !== null && <span className="number">{counted(entries, KIND_UNITS[kind])}</span>}
      </p>
      <p className="list-source-foot">
        <span className="list-source-url" title={url}>
          {url.replace(/^https:\/\//, '')}
        </span>
        <span>{fetched_at === null ? 'came with this version' : <Time value={fetched_at} form="ago" />}</span>
      </p>
      {error !== null && (
        <p className="list-source-error">
          <IconWarning label="Could not be renewed" />
          <span className="break">{error}; the last good copy is in use.</span>
        </p>
      )}
    </li>
  );
}
