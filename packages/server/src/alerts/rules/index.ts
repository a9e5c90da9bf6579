/** Every rule by its kind. */
import type { Kind } from '../kinds.ts';
import { botErrors } from './errors.ts';
import { firstReferral, newBot } from './first-visits.ts';
import { forwardingFailing } from './forwarding.ts';
import { dropToZero } from './gone.ts';
import { collectorQuiet } from './quiet.ts';
import { quota } from './quota.ts';
import type { Rule } from './rule.ts';
import { spike } from './spike.ts';
import { spoofSurge } from './spoofed.ts';

export { MIN_ANSWERS } from './errors.ts';
export { newBots, newEngines } from './first-visits.ts';
export { MIN_SETTLED } from './forwarding.ts';
export { cameDaily, isReceiving } from './gone.ts';
export type { Finding, Over, Snapshot, Verdict, WatchedDestination } from './rule.ts';
export { canSpike, SPIKE_AT_LEAST } from './spike.ts';

export const RULES: Readonly<Record<Kind, Rule>> = {
  new_bot: newBot,
  spike,
  drop_to_zero: dropToZero,
  spoof_surge: spoofSurge,
  bot_errors: botErrors,
  collector_quiet: collectorQuiet,
  forwarding_failing: forwardingFailing,
  ai_referral_first: firstReferral,
  quota,
};

/** The ends of titles that say what is happening, and of the same titles once it is over. Other titles have no tense. */
const TENSES: Partial<Readonly<Record<Kind, readonly [present: string, past: string]>>> = {
  spike: [' visits far more often than usual', ' visited far more often than usual'],
  forwarding_failing: [' is failing', ' failed'],
};

/** The title of an alert that is over. Alerts of earlier versions may have another one, and keep it. */
export function titleOnceOver(kind: Kind, title: string): string {
  const [present, past] = TENSES[kind] ?? ['', ''];
  return present !== '' && title.endsWith(present) ? `${title.slice(0, -present.length)}${past}` : title;
}
