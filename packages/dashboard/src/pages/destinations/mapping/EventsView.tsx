import type { Topic } from '@ghostlight/core/conversion';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Property } from '../../../api/types.ts';
import { topicName } from '../../../features/conversions/topics.ts';
import type { Destination } from '../../../features/destinations/api.ts';
import { useChange } from '../../../features/destinations/useChange.ts';
import { counted } from '../../../format/names.ts';
import { IconInfo } from '../../../parts/icons.tsx';
import { Mark } from '../../../parts/Sign.tsx';
import { ErrorState } from '../../../parts/states.tsx';
import { mappingRows, nameMistake, withChoice } from '../model/mapping.ts';
import { hasOther, problemsAt } from '../model/values.ts';
import type { DestinationViewProps } from '../views.ts';
import { AddCustomEvent } from './AddCustomEvent.tsx';
import { MappingLine } from './MappingLine.tsx';

/** The platform's event for each topic and custom event. Changes apply to everything sent afterwards, including pending conversions. */
export function EventsView({ property, platform, destination }: DestinationViewProps) {
  const [draft, setDraft] = useState(destination.events);
  const [isTried, setTried] = useState(false);
  const { mutate, isPending, isSuccess, error } = useChange(
    property.id,
    destination.id,
    'Event mapping saved',
  );
  const rules = platform.events;
  const rows = mappingRows(rules, draft);
  const keys = new Set([...Object.keys(draft), ...Object.keys(destination.events)]);
  const changes = [...keys].filter((key) => draft[key] !== destination.events[key]).length;
  const mistakes = new Map(
    rows.flatMap(({ key, chosen }) => {
      const mistake = typeof chosen === 'string' ? nameMistake(rules, chosen.trim()) : null;
      return mistake === null ? [] : [[key, mistake] as const];
    }),
  );
  const refused = problemsAt(error, 'events');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (mistakes.size > 0) return;
    const events = Object.fromEntries(
      Object.entries(draft).map(([key, name]) => [key, name?.trim() ?? null]),
    );
    mutate({ events }, { onSuccess: (changed) => setDraft(changed.events) });
  };
  return (
    <form className="events-view" noValidate onSubmit={submit}>
      <p className="aside">
        Each conversion is sent as the event next to its topic. A custom event takes precedence over its
        topic.
      </p>
      <ul className="card mapping" aria-label="Event mapping">
        {rows.map((row) => (
          <MappingLine
            key={row.key}
            row={row}
            rules={rules}
            message={(isTried ? mistakes.get(row.key) : undefined) ?? refused.get(row.key)}
            onChoose={(chosen) => setDraft(withChoice(draft, row.key, chosen))}
          />
        ))}
      </ul>
      {rules.defaults.custom.kind !== 'unsupported' && (
        <AddCustomEvent
          property={property}
          taken={rows.flatMap(({ eventName }) => eventName ?? [])}
          onAdd={(key) => setDraft(withChoice(draft, key, ''))}
        />
      )}
      {error !== null && hasOther(error, new Set(rows.map(({ key }) => `events/${key}`))) && (
        <ErrorState error={error} />
      )}
      <div className="form-actions">
        <button type="submit" className="button button-primary" disabled={isPending || changes === 0}>
          {isPending ? 'Saving…' : changes === 0 ? 'Save' : `Save ${counted(changes, 'change')}`}
        </button>
        {isSuccess && changes === 0 && <Mark tone="good" title="Saved" />}
        {changes > 0 && (
          <button type="button" className="button button-plain" onClick={() => setDraft(destination.events)}>
            Undo
          </button>
        )}
      </div>
    </form>
  );
}

interface MappingNoticeProps {
  property: Property;
  destination: Destination;
  /** Topics without an event. */
  topics: readonly Topic[];
}

/** A notice about topics without an event; empty when there are none. */
export function MappingNotice({ property, destination, topics }: MappingNoticeProps) {
  if (topics.length === 0) return null;
  return (
    <div className="notice">
      <IconInfo />
      <p>
        No event is mapped for {topics.map(topicName).join(', ')}. Those conversions are skipped and counted
        as “No event mapped”.
      </p>
      <Link
        to="/p/$propertyId/destinations/$destinationId"
        params={{ propertyId: property.id, destinationId: destination.id }}
        search={{ view: 'events' }}
        className="button button-small"
      >
        Choose events
      </Link>
    </div>
  );
}
