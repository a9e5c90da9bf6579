/** The setup checker: what senders did wrong, and what to do about it. */

export { type Diagnosis, diagnose } from './checker.ts';
export type { Finding } from './findings.ts';
export type { CheckedKey, Observations, RejectedElement, SourceArrival } from './observations.ts';
export { createOnboarding, ONBOARDING_STEPS, type Onboarding } from './onboarding.ts';
export {
  createQuarantine,
  type Quarantine,
  type QuarantinedElement,
  type QuarantineSource,
} from './quarantine.ts';
export {
  type CountedSignal,
  createSetupSignals,
  type SetupSignals,
  type Signal,
  type SignalKind,
} from './signals.ts';
export { unknownPathSignal } from './unknown-path.ts';
