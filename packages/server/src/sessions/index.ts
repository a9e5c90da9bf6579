/** Browser events: visitors, their sessions and touches, the match for conversions, and forgetting them. */

export type { EventsEndpoint } from './endpoint.ts';
export type { Erased, Erasure, Overdue } from './erasure.ts';
export { createMatching, type Matching, type TouchClient, type Visit } from './matching.ts';
export type {
  BrowserConversion,
  EventLimits,
  EventStore,
  SessionsDeps,
  TrackingDomains,
  VisitorKey,
} from './ports.ts';
export { loadScript, type Script } from './script.ts';
export { createSessions, type EventStats, type Sessions } from './sessions.ts';
