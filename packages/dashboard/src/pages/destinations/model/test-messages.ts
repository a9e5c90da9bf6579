/** Texts for the result of a test. */
import { verdictWords } from '../../../features/deliveries/messages.ts';
import type { TestResult } from '../../../features/destinations/api.ts';
import type { Tone } from '../../../parts/Sign.tsx';

export interface ResultMessage {
  readonly tone: Tone;
  readonly title: string;
  readonly about: string;
}

export function resultMessage({ mode, skip, verdict }: TestResult): ResultMessage {
  if (skip !== null) {
    return { tone: 'off', title: 'It would be skipped', about: skip.message };
  }
  if (verdict === null) {
    return {
      tone: 'unknown',
      title: 'Not sent',
      about: 'This is the request for a real conversion.',
    };
  }
  const { tone, title } = verdictWords(verdict.kind);
  const about = verdict.message ?? '';
  if (verdict.kind !== 'delivered' && verdict.kind !== 'accepted') {
    return { tone, title: REFUSALS[verdict.kind] ?? title, about };
  }
  // A validated event has no later outcome.
  if (mode === 'validate') {
    return {
      tone: 'good',
      title: 'The platform accepted it as valid',
      about: verdict.kind === 'accepted' ? '' : about,
    };
  }
  return { tone, title: mode === 'live' ? 'Accepted as a real event' : 'Accepted as a test event', about };
}

const REFUSALS: Readonly<Record<string, string>> = {
  auth: 'The credentials were rejected',
  config: 'The settings were rejected',
  refused: 'The event was rejected',
  bisect: 'The event was rejected',
  retry: 'Temporary failure; try again',
  throttled: 'Rate limited; try again later',
};
