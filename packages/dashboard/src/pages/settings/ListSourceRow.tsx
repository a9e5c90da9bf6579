import type { ListSource } from '../../api/types.ts';
import { counted } from '../../format/names.ts';
import { dayLabel } from '../../format/time.ts';
import { IconWarning } from '../../parts/icons.tsx';
import { Time } from '../../parts/Time.tsx';

const KIND_UNITS: Readonly<Record<ListSource['kind'], string>> = {
  list: 'bot',
  ranges: 'range',
  keys: 'key',
};

export function ListSourceRow({ source }: { source: ListSource }) {
  const { url, kind, entries, fetched_at, error } = source;
  return (
    <li>
      <p className="list-source-head">
        <strong>{source.source}</strong>
        <span className="number">{counted(entries, KIND_UNITS[kind])}</span>
      </p>
      <p className="list-source-foot">
        <span className="list-source-url" title={url}>
          {url.replace(/^https:\/\//, '')}
        </span>
        <span>{fetched_at === null ? embeddedAge(source) : <Time value={fetched_at} form="ago" />}</span>
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

function embeddedAge({ entries, as_of }: ListSource): string {
  if (entries === 0) return 'not read yet';
  // The source writes it as it likes; what is not a day there is nothing that a reader could compare.
  const day = /\d{4}-\d\d-\d\d/.exec(as_of ?? '')?.[0];
  return day === undefined
    ? 'came with this version'
    : `came with this version, as of ${dayLabel(day, true)}`;
}
