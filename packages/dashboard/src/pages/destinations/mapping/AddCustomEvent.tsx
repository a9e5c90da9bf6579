import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { conversionsQueries } from '../../../features/conversions/api.ts';
import { IconPlus } from '../../../parts/icons.tsx';
import { customKey } from '../model/mapping.ts';

/** The longest name of the service. */
const MAX_NAME = 90;
/** The most suggested names. */
const MAX_SEEN = 8;

interface AddCustomEventProps {
  property: Property;
  /** Names that already have a row. */
  taken: readonly string[];
  onAdd: (key: string) => void;
}

/** Adds a row for a custom event; recent names are suggested. */
export function AddCustomEvent({ property, taken, onAdd }: AddCustomEventProps) {
  const id = useId();
  const [name, setName] = useState('');
  const recent = useInfiniteQuery(conversionsQueries.list(property.id, { topic: 'custom' }));
  const seen = new Set(recent.data?.pages.flatMap(({ items }) => items.map((item) => item.event_name ?? '')));
  const offered = [...seen].filter((one) => one !== '' && !taken.includes(one)).slice(0, MAX_SEEN);
  const wanted = name.trim();
  const isTaken = taken.includes(wanted);
  const add = (one: string) => {
    onAdd(customKey(one));
    setName('');
  };
  return (
    <div className="add-event field">
      <label htmlFor={id}>Map a custom event</label>
      <div className="add-event-row">
        <input
          id={id}
          className="input mono"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_NAME}
          placeholder="brochure_download"
          value={name}
          onChange={(event) => setName(event.target.value)}
          onKeyDown={(event) => {
            // Enter adds the row; otherwise it would save the mapping.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            if (wanted !== '' && !isTaken) add(wanted);
          }}
        />
        <button
          type="button"
          className="button"
          disabled={wanted === '' || isTaken}
          onClick={() => add(wanted)}
        >
          <IconPlus />
          Add
        </button>
      </div>
      {isTaken && <p className="field-hint">Already in the list.</p>}
      {offered.length > 0 && (
        <p className="add-event-seen">
          <span className="quiet">Recent:</span>
          {offered.map((one) => (
            <button key={one} type="button" className="button button-small" onClick={() => add(one)}>
              <IconPlus />
              <code className="break">{one}</code>
            </button>
          ))}
        </p>
      )}
    </div>
  );
}
