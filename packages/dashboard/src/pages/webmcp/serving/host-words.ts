/** What is said of a host: whether it serves the document, and whether agents trust it there. */
import { counted } from '../../../format/names.ts';
import type { Tone } from '../../../parts/Sign.tsx';
import type { HostState, HostStatus } from '../types.ts';

/** Texts for the states of a host, and what to do. */
interface StateWords {
  readonly tone: Tone;
  readonly title: string;
  /** What to do; may be empty. */
  readonly action: string;
}

const STATES: Readonly<Record<HostState, StateWords>> = {
  current: { tone: 'good', title: 'Document up to date', action: '' },
  outdated: {
    tone: 'wait',
    title: 'Serves an earlier document',
    action:
      'Hosts update within about two minutes after publishing; check again then. If it persists, the collector can’t reach this service, or a cache is in front of it.',
  },
  invalid: {
    tone: 'bad',
    title: 'Invalid signature',
    action:
      'Expected for up to two minutes after Rotate keys, because cached copies have the old signature. If it persists, something on the zone modifies the document or serves its own copy.',
  },
  not_served: {
    tone: 'bad',
    title: 'Not served',
    action:
      'Deploy the collector on this zone with a route that covers the host, and set SERVICE_MANIFEST_URL to the address below.',
  },
  not_json: {
    tone: 'bad',
    title: 'Another page answers',
    action:
      'The site returns a page instead of the document: the route does not cover this host or path, or SERVICE_MANIFEST_URL is empty.',
  },
  unreachable: {
    tone: 'bad',
    title: 'Not reachable',
    action:
      'Check that the name resolves, that its certificate is valid, and that no rule of the zone blocks this service.',
  },
  private_address: {
    tone: 'unknown',
    title: 'Private address',
    action:
      'The host resolves to a private network, which this service does not check. Check it from inside with ghostlight manifest verify.',
  },
};

const RECORDS: Readonly<Record<HostStatus['record'], string>> = {
  found: 'DNS record found',
  not_found: 'DNS record not found',
  not_checked: 'DNS record not checked: no answer from DNS',
};

type Answer = Pick<HostStatus, 'state' | 'record'>;

/** Served as published, but agents can't tell that the host agrees. */
export const isUntrusted = ({ state, record }: Answer): boolean =>
  state === 'current' && record === 'not_found';

/** An unknown state, of a newer service, is shown as received; an older service looks up no record. */
export function wordsFor({ state, record }: Answer): StateWords & { readonly notes: readonly string[] } {
  const words = STATES[state] ?? { tone: 'unknown', title: String(state).replaceAll('_', ' '), action: '' };
  if (isUntrusted({ state, record }))
    return { ...words, tone: 'wait', title: 'Not trusted yet: DNS record not found', notes: [words.title] };
  const note: string | undefined = RECORDS[record];
  return { ...words, notes: note === undefined ? [] : [note] };
}

/** What is wrong with any host, in short; null: nothing that is known. A private address can’t be checked from here. */
export function troubleOf(statuses: readonly Answer[]): string | null {
  const bad = statuses.filter(({ state }) => state !== 'current' && state !== 'private_address').length;
  if (bad > 0) return `${counted(bad, 'host')} ${bad === 1 ? 'has' : 'have'} a problem`;
  return statuses.some(isUntrusted) ? 'not trusted yet' : null;
}
