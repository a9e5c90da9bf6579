/** Log sources: what each sender of hits writes, in which form, and what it wants to be answered. Data and pure functions. */

export { monthOf } from './fields/timestamps.ts';
export { aboutSource, DEFAULT_SOURCE, isCollector, pathOf, SOURCE_NAMES } from './names.ts';
export {
  type DropReason,
  FORMAT_REASONS,
  REJECT_REASONS,
  type Rejection,
  type RejectReason,
  SAID_ONCE,
  STEPS,
  type Step,
  stepOf,
} from './reasons.ts';
export { SOURCES } from './register.ts';
export {
  type ArraySource,
  type AuthForm,
  type BodyProof,
  type CountedRequests,
  type Decoded,
  type ElementError,
  type Fault,
  isPassed,
  isRejection,
  type LineForm,
  type LineScreening,
  type LinesSource,
  type LogSource,
  type Observation,
  type Reframing,
  type Report,
  type Screens,
  type Settings,
  type Settled,
  type SourceAbout,
  type SourceAnswer,
  type SourceRequest,
  type SourceSetting,
  type Spoken,
  Unreadable,
  type WellKnown,
} from './source.ts';
