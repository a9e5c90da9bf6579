/** What each state of a tracking domain means, and what to do about it. */
import type { DomainState } from '../../../features/webhooks/api.ts';
import type { Tone } from '../../../parts/Sign.tsx';

export interface DomainWords {
  readonly tone: Tone;
  readonly title: string;
  readonly action: string;
}

const STATES: Readonly<Record<DomainState, DomainWords>> = {
  pending: {
    tone: 'wait',
    title: 'Waiting for the record',
    action:
      'Add this TXT record where the domain’s DNS is kept, then verify. It can take a few minutes to be seen.',
  },
  verified: {
    tone: 'good',
    title: 'Verified',
    action: '',
  },
  failing: {
    tone: 'bad',
    title: 'Record is gone',
    action:
      'The record was there and was not found again. The name still works, for seven days from then: put the record back, and verify.',
  },
};

/** A state that a newer service may know is shown as it came. */
export function domainWords(state: string): DomainWords {
  return STATES[state as DomainState] ?? { tone: 'unknown', title: state.replaceAll('_', ' '), action: '' };
}
