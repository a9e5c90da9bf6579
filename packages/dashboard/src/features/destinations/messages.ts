/** Texts for the state, guarantee and consent of a destination. */
import type { Topic } from '@ghostlight/core/conversion';
import type { Words } from '../../parts/Sign.tsx';
import type { Alarm, Destination, Guarantee, JsonSchema, Platform } from './api.ts';

/** @param now epoch milliseconds */
export function stateWords({ state, health }: Pick<Destination, 'state' | 'health'>, now: number): Words {
  if (state === 'alarm') return { tone: 'bad', title: 'Needs attention' };
  if (state === 'paused') return { tone: 'off', title: 'Paused' };
  // As its deliveries: none of them has been given up yet.
  if (health.failures > 0) return { tone: 'wait', sign: 'again', title: 'Retrying' };
  if (health.not_before !== null && Date.parse(health.not_before) > now)
    return { tone: 'off', sign: 'clock', title: 'Asked to wait' };
  // How many is said by the figures, which may be of another period.
  if (health.dead_24h > 0) return { tone: 'bad', sign: 'warning', title: 'Active, some failed' };
  return { tone: 'good', title: 'Active' };
}

/** What a short state is about; undefined where it says all. */
export function stateHint({ state, health }: Pick<Destination, 'state' | 'health'>): string | undefined {
  if (state !== 'active') return undefined;
  if (health.failures > 0) return 'The last attempt failed; the next one is automatic';
  return health.dead_24h > 0
    ? `${health.dead_24h.toLocaleString('en')} failed permanently in the last 24 hours`
    : undefined;
}

/**
 * What it is beside its name: the platform where the name does not say it, and the account.
 * @param platform undefined: of a newer service
 */
export function kindOf(
  { name, platform: key, config }: Pick<Destination, 'name' | 'platform' | 'config'>,
  platform: Pick<Platform, 'title' | 'config_schema'> | undefined,
): string {
  const title = platform?.title ?? key;
  const { required = [], properties = {} }: JsonSchema = platform?.config_schema ?? {};
  const field = required.find((one) => typeof config[one] === 'string' && /[\d.]/.test(String(config[one])));
  if (field === undefined) return title;
  const value = String(config[field]);
  // An address says itself what it is.
  const account = value.startsWith('https://')
    ? value.slice('https://'.length)
    : `${(properties[field]?.title ?? '').replace(/ \(.*\)$/, '')} ${value}`.trim();
  return name.startsWith(shortTitle(title)) ? account : `${title} · ${account}`;
}

/** What to do about an alarm. */
export function remedyOf({ kind }: Alarm): string {
  return kind === 'auth'
    ? 'Sending has stopped. Nothing is lost: conversions wait here. Replace the credentials, or grant them the rights that the message asks for, then resume.'
    : 'Sending has stopped. Nothing is lost: conversions wait here. Correct the settings as the message says, then resume.';
}

/** What a platform is called in a sentence: `Meta` of `Meta Conversions API`. */
export const shortTitle = (title: string): string => title.replace(/ (?:Conversions API|4)$/, '');

/** The subject of sentences about a platform. */
export const subjectOf = ({ platform, title }: { platform: string; title: string }): string =>
  platform === 'webhook' ? 'The receiver' : shortTitle(title);

const GUARANTEE_WORDS: Readonly<
  Record<Guarantee, { readonly name: string; readonly about: (subject: string) => string }>
> = {
  dedup: {
    name: 'Counted once',
    about: (subject) =>
      `An event with an unknown outcome is sent again with the same ID. ${subject} keeps one event per ID.`,
  },
  at_most_once: {
    name: 'At most once',
    about: (subject) =>
      `${subject} can’t recognise a repeated event, so an event with an unknown outcome is not sent again.`,
  },
};

/** For a webhook the receiver is code of the reader, who has to drop repeats there. */
const WEBHOOK_GUARANTEE = {
  name: 'May arrive twice',
  about: 'An event with an unknown outcome is sent again with the same webhook-id. Use it to drop repeats.',
} as const;

/** @param title of the platform; undefined: not loaded, or of a newer service */
export function guaranteeWords(guarantee: Guarantee, platform: string, title: string | undefined) {
  if (platform === 'webhook' && guarantee === 'dedup') return WEBHOOK_GUARANTEE;
  const { name, about } = GUARANTEE_WORDS[guarantee];
  return { name, about: about(title === undefined ? 'The platform' : subjectOf({ platform, title })) };
}

export interface Pledge {
  readonly name: string;
  readonly about: string;
  /** Empty: every topic. */
  readonly topics: readonly Topic[];
}

/** The guarantees of a platform as text, the stronger first; one when all topics have the same. */
export function pledgesOf({
  platform,
  title,
  guarantees,
  events,
}: Pick<Platform, 'platform' | 'title' | 'guarantees' | 'events'>): Pledge[] {
  const possible = (Object.entries(guarantees) as [Topic, Guarantee][]).filter(
    ([topic]) => events.defaults[topic].kind !== 'unsupported',
  );
  const kinds = (['dedup', 'at_most_once'] as const).filter((kind) =>
    possible.some(([, one]) => one === kind),
  );
  return kinds.map((kind) => ({
    ...guaranteeWords(kind, platform, title),
    topics: kinds.length === 1 ? [] : possible.filter(([, one]) => one === kind).map(([topic]) => topic),
  }));
}

export const CONSENT_WORDS: Readonly<Record<Platform['consent'], string>> = {
  advertising: 'Advertising consent is required',
  analytics: 'Analytics consent is required',
  configurable: 'You choose the required consent',
};
