/** Small shared vocabulary of the rooms: no I/O, no state. */

export { type Api, type ApiEnv, createApi, problemResponse } from './api.ts';
export { type ByteBudget, type ByteLimits, createByteBudget, type HeldBytes } from './byte-budget.ts';
export { isUniform } from './bytes.ts';
export { type BodyBounds, readCapped } from './capped-body.ts';
export { type Change, changeOf, type Halves, MIN_COMPARED, NO_CHANGE, standsOut } from './change.ts';
export {
  type ComparedDays,
  type ComparedWith,
  comparedDaysOf,
  comparedWith,
  compareFromOf,
  dayParameter,
} from './compared-with.ts';
export { ERRORS, type ErrorCode, type FieldError, ServiceError, UnstorableError } from './errors.ts';
export { fieldErrors } from './field-errors.ts';
export {
  type AnswerFile,
  createFileAnswers,
  fileContent,
} from './file-answers.ts';
export { csvLine, type FileFormat, fileLines } from './file-lines.ts';
export { fileName } from './file-name.ts';
export { maskSecrets, maskText } from './masks.ts';
export { nameSchema } from './name.ts';
export { daysOfNamed, namedPeriod } from './named-period.ts';
export { networkName, networkNames } from './network-names.ts';
export { rate, rates, rounded, share, sum } from './numbers.ts';
export type { GroupMapping, OidcSettings } from './oidc-settings.ts';
export { once } from './once.ts';
export { type Bound, datesOf, type Period, periodOf, periodSchema } from './period.ts';
export { piecesOf } from './pieces.ts';
export type { Clock, Log } from './ports.ts';
export {
  currentRequest,
  forThisRequest,
  inRequest,
  outsideRequests,
  REQUEST_ID_HEADER,
  type RequestContext,
  requestIdFrom,
} from './request-context.ts';
export {
  ALWAYS_KEPT_MS,
  firstKeptDay,
  hitClassesOf,
  keptDays,
  keptMs,
  keptWhole,
  RETENTION_CLASSES,
  type RetentionBounds,
  type RetentionClass,
  type RetentionLimits,
  type RetentionRules,
  readRules,
  retentionClassOf,
  retentionLimits,
  VISIT_CLASSES,
} from './retention.ts';
export { body, idParam, json, narrowing, networkSchema, pageOf, pageQuery } from './route-parts.ts';
export {
  type Caller,
  DEFAULT_ORGANIZATION_ID,
  includesRole,
  limitsOf,
  narrowScope,
  owningOrganization,
  type PersonCaller,
  PROPERTY_ROLES,
  type PropertyAccess,
  type PropertyRole,
  ROLES,
  type Role,
  type RootCaller,
  runsInstallation,
  type Scope,
  type ShareCaller,
  type TokenCaller,
} from './scope.ts';
export type { Span, SpanAttributes, SpanWork } from './span.ts';
export { sqliteCode } from './sqlite-code.ts';
export { StartError, startSentence } from './start-error.ts';
export { readTar, TAR_END, TarError, tarHeader, tarPadding } from './tar.ts';
export { createThrottle, networkOf, type Throttle, type ThrottleOptions } from './throttle.ts';
export {
  canonicalTimeZone,
  type Days,
  dateOf,
  dayOf,
  daysIn,
  daysOf,
  hourOf,
  isoOf,
  momentIn,
  momentInSentence,
  UTC,
  type Zoned,
  type ZoneSince,
} from './time-zone.ts';
export {
  annotate,
  asPart,
  type Trace,
  type TraceHeaders,
  type Tracer,
  traceWith,
  untraced,
} from './trace.ts';
export { givenParameters, unknownParameters } from './unknown-parameters.ts';
export { within } from './within.ts';
export { count, counted, exactSize, type Noun, outOf, percent, size } from './wording.ts';
