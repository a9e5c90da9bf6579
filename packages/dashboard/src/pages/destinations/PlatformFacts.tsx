import type { Topic } from '@ghostlight/core/conversion';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Property } from '../../api/types.ts';
import { topicName } from '../../features/conversions/topics.ts';
import type { Platform } from '../../features/destinations/api.ts';
import { CONSENT_WORDS, pledgesOf, shortTitle, subjectOf } from '../../features/destinations/messages.ts';

const PLURALS: Readonly<Record<Topic, string>> = {
  purchase: 'purchases',
  lead: 'leads',
  signup: 'sign-ups',
  refund: 'refunds',
  subscription: 'subscriptions',
  custom: 'custom events',
};

/** What platforms call the same things; a field of a newer service is shown as received. */
const PLAIN_NAMES: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/postal|zip/i, 'postal code'],
  [/ip/i, 'IP address'],
  [/user_?agent/i, 'browser'],
  [/country|regioncode/i, 'country'],
  [/first/i, 'first name'],
  [/last/i, 'last name'],
];

const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(names);

const startingWithCapital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** `IP address and browser are sent unhashed`. */
function unhashed(fields: readonly string[]): string {
  const names = fields.map((field) => PLAIN_NAMES.find(([pattern]) => pattern.test(field))?.[1] ?? field);
  return `${startingWithCapital(listed(names))} ${names.length === 1 ? 'is' : 'are'} sent unhashed`;
}

/** What the platform accepts, and its delivery guarantee. */
function Facts({ platform }: { platform: Platform }) {
  const isWebhook = platform.platform === 'webhook';
  const subject = subjectOf(platform);
  const { consent, max_age_days, plain_fields, documentation, events } = platform;
  const missing = Object.entries(events.defaults)
    .filter(([, standard]) => standard.kind === 'unsupported')
    .map(([topic]) => PLURALS[topic as Topic] ?? topic);
  const facts: readonly (readonly [string, ReactNode])[] = [
    ...pledgesOf(platform).map(
      ({ name, about, topics }) =>
        [topics.length === 0 ? name : `${name}: ${topics.map(topicName).join(', ')}`, about] as const,
    ),
    [
      CONSENT_WORDS[consent],
      'Without a consent signal, the property’s setting under Webhooks decides. Without consent, the conversion is skipped and counted.',
    ],
    [
      max_age_days === null ? 'No age limit' : `Conversions are at most ${max_age_days} days old`,
      max_age_days === null
        ? `${subject} ${isWebhook ? 'gets' : 'accepts'} conversions of any age.`
        : `${subject} rejects older conversions, so they are skipped.`,
    ],
    ...(missing.length === 0
      ? []
      : [[`${startingWithCapital(listed(missing))} are not sent`, `${subject} has no such event.`] as const]),
    [
      'Personal data is hashed',
      plain_fields.length === 0
        ? 'No personal data is sent in plain text.'
        : `${isWebhook ? 'With SHA-256' : `By the rules of ${subject}`}, when it is sent. ${unhashed(plain_fields)}${isWebhook ? '' : `, because ${subject} requires it`}.`,
    ],
  ];
  return (
    <>
      <dl>
        {facts.map(([name, about]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
      <a href={documentation} target="_blank" rel="noreferrer" className="quiet-link">
        {isWebhook ? 'How requests are signed' : `${subject} documentation`}
        <span className="visually-hidden"> (opens a new tab)</span>
        <span aria-hidden="true"> ↗</span>
      </a>
    </>
  );
}

const rulesTitle = ({ platform, title }: Platform): string =>
  `Rules for ${platform === 'webhook' ? 'webhooks' : shortTitle(title)}`;

/** What the platform accepts, beside the form that connects it. */
export function PlatformFacts({ platform }: { platform: Platform }) {
  return (
    <aside className="card platform-facts" aria-labelledby="platform-facts-title">
      <h2 id="platform-facts-title">{rulesTitle(platform)}</h2>
      <Facts platform={platform} />
    </aside>
  );
}

/** The same, folded at the foot of a connected one's page. */
export function FoldedFacts({ platform }: { platform: Platform }) {
  return (
    <details className="card platform-rules">
      <summary className="disclosure">{rulesTitle(platform)}</summary>
      <div className="platform-facts">
        <Facts platform={platform} />
      </div>
    </details>
  );
}

/** The link back to all destinations. */
export function BackLink({ property }: { property: Property }) {
  return (
    <p className="page-back">
      <span aria-hidden="true">← </span>
      <Link to="/p/$propertyId/destinations" params={{ propertyId: property.id }}>
        Destinations
      </Link>
    </p>
  );
}
