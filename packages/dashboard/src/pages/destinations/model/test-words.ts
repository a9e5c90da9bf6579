/** What came of a test, in words. */
import { verdictWords } from '../../../features/deliveries/messages.ts';
import type { TestResult } from '../../../features/destinations/api.ts';
import type { Tone } from '../../../parts/Sign.tsx';

export interface ResultWords {
  readonly tone: Tone;
  readonly title: string;
  readonly about: string;
}

export function resultWords({ mode, skip, verdict }: TestResult): ResultWords {
  if (skip !== null) {
    return { tone: 'off', title: 'It would be skipped', about: skip.message };
  }
  if (verdict === null) {
    return {
      tone: 'unknown',
      title: 'Not sent',
      about: 'This is the request that a real conversion would make.',
    };
  }
  const { tone, title } = verdictWords(verdict.kind);
  const about = verdict.message ?? '';
  if (verdict.kind !== 'delivered' && verdict.kind !== 'accepted') {
    return { tone, title: REFUSALS[verdict.kind] ?? title, about };
  }
  // Of what is only checked nothing is left to be judged later.
  if (mode === 'validate') {
    return {
      tone: 'good',
      title: 'The platform found it right',
      about: verdict.kind === 'accepted' ? '' : about,
    };
  }
  return { tone, title: mode === 'live' ? 'Taken as a real event' : 'Taken as a test event', about };
}

const REFUSALS: Readonly<Record<string, string>> = {
  auth: 'The credentials were refused',
  config: 'The settings were refused',
  refused: 'The event was refused',
  bisect: 'The event was refused',
  retry: 'No answer that counts; try again',
  throttled: 'The platform asks to wait; try again later',
};
