/** What each state of a host means, and what to do about it. */
import type { Tone } from '../../../parts/Sign.tsx';
import type { HostState } from '../types.ts';

export interface StateWords {
  readonly tone: Tone;
  readonly title: string;
  /** What to do; empty when there is nothing to do. */
  readonly action: string;
}

const STATES: Readonly<Record<HostState, StateWords>> = {
  current: { tone: 'good', title: 'Serves the current document', action: '' },
  outdated: {
    tone: 'wait',
    title: 'Serves an earlier document',
    action:
      'After publishing, edges follow within about two minutes; check again then. If it stays, the collector can’t reach this service, or it serves from a cache in front of it.',
  },
  invalid: {
    tone: 'bad',
    title: 'Does not verify',
    action:
      'Right after Rotate keys this is expected for up to two minutes: cached copies carry the old signature. If it stays, something on the zone changes the document on its way, or serves a copy of its own.',
  },
  not_served: {
    tone: 'bad',
    title: 'Not served',
    action:
      'Deploy the collector on this zone with a route that covers the host, and set SERVICE_MANIFEST_URL to the address below.',
  },
  not_json: {
    tone: 'bad',
    title: 'Something else answers',
    action:
      'A page answers where the document should be: the route does not cover this host or path, or SERVICE_MANIFEST_URL is empty and the site answers every address itself.',
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
      'The name leads to a private network, which this service does not look into. Check it from inside with ghostlight manifest verify.',
  },
};

/** A state that a newer service may know and this page doesn't is shown as it came. */
export function wordsFor(state: string): StateWords {
  return STATES[state as HostState] ?? { tone: 'unknown', title: state.replaceAll('_', ' '), action: '' };
}
