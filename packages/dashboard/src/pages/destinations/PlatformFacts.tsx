import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { topicName } from '../../features/conversions/topics.ts';
import type { Platform } from '../../features/destinations/api.ts';
import { CONSENT_WORDS, pledgesOf } from '../../features/destinations/messages.ts';

/** What the platform takes and promises, before and after it is connected. */
export function PlatformFacts({ platform }: { platform: Platform }) {
  const { consent, max_age_days, plain_fields, documentation, events } = platform;
  const missing = Object.entries(events.defaults)
    .filter(([, standard]) => standard.kind === 'unsupported')
    .map(([topic]) => topicName(topic));
  const facts: readonly (readonly [string, ReactNode])[] = [
    ...pledgesOf(platform).map(
      ({ name, about, topics }) =>
        [topics.length === 0 ? name : `${name}: ${topics.map(topicName).join(', ')}`, about] as const,
    ),
    [
      CONSENT_WORDS[consent],
      'Without a word from the customer, the property’s setting under Webhooks decides. A refusal is kept back and counted.',
    ],
    [
      max_age_days === null ? 'Of any age' : `At most ${max_age_days} days old`,
      max_age_days === null
        ? 'The platform names no limit for how long ago a conversion happened.'
        : 'Older conversions are refused there, so they are skipped here.',
    ],
    ...(missing.length === 0
      ? []
      : [[`Not taken: ${missing.join(', ')}`, 'The platform has no such event.'] as const]),
    [
      'Personal data is hashed',
      plain_fields.length === 0
        ? 'Nothing that names a person leaves as it is.'
        : `By the platform’s own rules, when it is sent. As they are, because the platform asks for it: ${plain_fields.join(', ')}.`,
    ],
  ];
  return (
    <aside className="card platform-facts" aria-label="What the platform takes and promises">
      <dl>
        {facts.map(([name, about]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <a href={documentation} target="_blank" rel="noreferrer" className="quiet-link">
        The platform’s documentation
        <span className="visually-hidden"> (opens a new tab)</span>
        <span aria-hidden="true"> ↗</span>
      </a>
    </aside>
  );
}

/** Up from a destination to all of them. */
export function BackLink({ property }: { property: Property }) {
  return (
    <Link to="/p/$propertyId/destinations" params={{ propertyId: property.id }} className="back-link">
      <span aria-hidden="true">←</span> Destinations
    </Link>
  );
}
